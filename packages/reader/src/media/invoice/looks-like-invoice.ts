import { withoutProlog } from '../text-signature.ts'

const un = 'urn:un:unece:uncefact:data:standard:'
const oasis = 'urn:oasis:names:specification:ubl:schema:xsd:'

/** The prefixes in XPaths of evidence, by namespace. */
export const invoicePrefixes: ReadonlyMap<string, string> = new Map([
  [`${un}CrossIndustryInvoice:100`, 'rsm'],
  [`${un}ReusableAggregateBusinessInformationEntity:100`, 'ram'],
  [`${un}UnqualifiedDataType:100`, 'udt'],
  [`${un}QualifiedDataType:100`, 'qdt'],
  [`${oasis}Invoice-2`, 'ubl'],
  [`${oasis}CreditNote-2`, 'cn'],
  [`${oasis}CommonAggregateComponents-2`, 'cac'],
  [`${oasis}CommonBasicComponents-2`, 'cbc'],
])

/** The root elements of the supported syntaxes: CII (Factur-X, ZUGFeRD, XRechnung) and UBL (XRechnung, Peppol BIS). */
const roots: ReadonlySet<string> = new Set(['rsm:CrossIndustryInvoice', 'ubl:Invoice', 'cn:CreditNote'])

const rootPattern = /<(?:([\w.-]+):)?(CrossIndustryInvoice|Invoice|CreditNote)\s([^>]*)>/

/** Characters within which the root element must begin; comments before it may be long. */
const rootWithin = 64 * 1024

/**
 * Whether a text is an electronic invoice, by its root element and namespace. True also with a document type declaration: reading it
 * reports the error.
 */
export function looksLikeInvoice(text: string): boolean {
  const body = withoutProlog(text.slice(0, rootWithin).trimStart())
  if (!body.startsWith('<')) return false
  const root = rootPattern.exec(body)
  if (root === null || (root.index > 0 && !/^<!doctype\s/i.test(body))) return false
  const [, prefix, local, attributes = ''] = root
  const declared = new RegExp(
    `(?:^|\\s)xmlns${prefix === undefined ? '' : `:${escaped(prefix)}`}\\s*=\\s*["']([^"']*)["']`,
  )
  const known = invoicePrefixes.get(declared.exec(attributes)?.[1] ?? '')
  return known !== undefined && roots.has(`${known}:${local}`)
}

const escaped = (text: string): string => text.replace(/[.-]/g, '\\$&')
