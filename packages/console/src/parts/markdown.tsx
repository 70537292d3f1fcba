import { lexer, type Token, type Tokens } from 'marked'
import type { ComponentChild } from 'preact'
import { visible } from '../visible.ts'

/**
 * A model's Markdown as elements. No HTML of the text is used, and nothing is fetched: an image is shown as a link,
 * because a hostile document could make the model name an address that tells its owner what was read.
 */
export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{blocks(lexer(visible(text)))}</div>
}

const blocks = (tokens: readonly Token[] = []): ComponentChild[] => tokens.map(elementOf)

function elementOf(token: Token): ComponentChild {
  const inner = () => blocks('tokens' in token ? token.tokens : undefined)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'paragraph':
      return <p>{inner()}</p>
    case 'heading':
      return <p class="heading">{inner()}</p>
    case 'strong':
      return <strong>{inner()}</strong>
    case 'em':
      return <em>{inner()}</em>
    case 'del':
      return <del>{inner()}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'code':
      return <pre class="long">{token.text}</pre>
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>
    case 'hr':
      return <hr />
    case 'br':
      return <br />
    case 'list':
      return <List list={token as Tokens.List} />
    case 'checkbox':
      return <input type="checkbox" checked={token.checked} disabled />
    case 'table':
      return <Table table={token as Tokens.Table} />
    case 'link':
    case 'image':
      return <Address href={token.href}>{token.type === 'image' ? token.text || token.href : inner()}</Address>
    case 'text':
      return 'tokens' in token && token.tokens ? inner() : token.text
    case 'escape':
      return token.text
    // HTML and whatever a newer grammar adds: as it was written.
    default:
      return token.raw
  }
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => <li key={index}>{blocks(item.tokens)}</li>)
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>
}

const alignOf = ({ align }: Tokens.TableCell) => (align === 'right' ? 'number' : undefined)

function Table({ table }: { table: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keyboard too.
    <section class="wide" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col" class={alignOf(cell)}>
                {blocks(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} class={alignOf(cell)}>
                  {blocks(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A link that leaves the console; other schemes than the web's and mail stay text. */
function Address({ href, children }: { href: string; children: ComponentChild }) {
  if (!/^(https?:|mailto:)/i.test(href)) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  )
}
