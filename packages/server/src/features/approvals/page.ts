import type { Approval } from '../executions/executions.ts'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Characters of an answer or an input that the page shows. */
const shownMax = 20_000

export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
}

const pageOf = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid;padding:1rem;max-height:24rem;overflow:auto}button{font:inherit;padding:.5rem 1rem;margin-right:1rem}textarea{width:100%;font:inherit}</style></head><body>${body}</body></html>`

/** Shows what waits for a decision, with a form to decide. Showing it decides nothing. */
export function askingPage(of: { name: string; approval: Approval; response: unknown }): string {
  const { name, approval, response } = of
  const what =
    approval.waitingFor === 'tool' ? `wants to call <code>${escaped(approval.tool ?? '')}</code>` : 'has an answer'
  const shown = JSON.stringify(approval.waitingFor === 'tool' ? approval.input : response, null, 2).slice(0, shownMax)
  return pageOf(
    'Approval needed',
    `<h1>Approval needed</h1><p><strong>${escaped(name)}</strong> ${what}. It waits until ${escaped(approval.expiresAt)}.</p><pre>${escaped(shown)}</pre><form method="post"><p><label>Comment<textarea name="comment" maxlength="2000"></textarea></label></p><button name="decision" value="approve">Approve</button><button name="decision" value="reject">Reject</button></form>`,
  )
}

export const decidedPage = (decision: string): string =>
  pageOf('Decided', `<h1>${decision === 'approve' ? 'Approved' : 'Rejected'}</h1><p>You can close this page.</p>`)

export const refusedPage = (detail: string): string =>
  pageOf('Not possible', `<h1>Not possible</h1><p>${escaped(detail)}</p>`)
