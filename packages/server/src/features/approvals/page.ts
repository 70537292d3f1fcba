import { escapeHtml, pageOf } from '../../adapters/http/page.ts'
import type { Approval } from '../executions/executions.ts'

/** Shows all of what waits for a decision, with a form to decide. Showing it decides nothing. */
export function askingPage(of: { name: string; approval: Approval; response: unknown }): string {
  const { name, approval, response } = of
  const what =
    approval.waitingFor === 'tool' ? `wants to call <code>${escapeHtml(approval.tool ?? '')}</code>` : 'has an answer'
  const shown = JSON.stringify(approval.waitingFor === 'tool' ? approval.input : response, null, 2)
  return pageOf(
    'Approval needed',
    `<h1>Approval needed</h1><p><strong>${escapeHtml(name)}</strong> ${what}. It waits until ${escapeHtml(approval.expiresAt)}.</p><pre>${escapeHtml(shown)}</pre><form method="post"><p><label>Comment<textarea name="comment" maxlength="2000"></textarea></label></p><button name="decision" value="approve">Approve</button><button name="decision" value="reject">Reject</button></form>`,
  )
}

export const decidedPage = (decision: string): string =>
  pageOf('Decided', `<h1>${decision === 'approve' ? 'Approved' : 'Rejected'}</h1><p>You can close this page.</p>`)

export const refusedPage = (detail: string): string =>
  pageOf('Not possible', `<h1>Not possible</h1><p>${escapeHtml(detail)}</p>`)
