import { type FrontMatter, frontMatterOf } from './front-matter.ts'
import type { Asking, Http, Stoppable } from './http.ts'
import type {
  EvaluateRequest,
  ImproveRequest,
  ListedSkill,
  Operations,
  Program,
  ProgramCompileRequest,
  Skill,
  SkillCase,
  SkillCasesRequest,
  SkillDownload,
  SkillEvaluation,
  SkillImprovement,
  SkillLookupRequest,
  SkillUpdateRequest,
} from './openapi.ts'
import { uploadFile } from './upload.ts'
import { type Folder, zipOf } from './zip.ts'

/** Source of a skill: a folder with SKILL.md, an uploaded ZIP, a prompt, or a session. */
export type SkillSource = {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly is_public?: boolean | undefined
} & (
  | { readonly folder: Folder }
  | { readonly file_id: string }
  | { readonly prompt: string; readonly json_schema?: Readonly<Record<string, unknown>> | undefined }
  | { readonly session_id: string }
)

/** The skills of a server. */
export function skillsOf(http: Http) {
  const at = (id: string, rest = '') => `/v1/skills/${encodeURIComponent(id)}${rest}`
  const post = <T>(path: string, body: unknown, how: Asking = {}) =>
    http.json<T>(path, { ...how, method: 'POST', body })
  return {
    /** Creates a skill, or the next version of a skill with this name. */
    async create(source: SkillSource, how: Stoppable = {}): Promise<Skill> {
      if (!('folder' in source)) return post<Skill>('/v1/skills/create', source, how)
      const { folder, ...rest } = source
      const archive = await uploadFile(http, zipOf(folder), { filename: 'skill.zip', ...how })
      return post<Skill>('/v1/skills/create', { ...headOf(folder), ...rest, file_id: archive.id }, how)
    },
    list: (query?: Partial<Operations['listSkills']['query']>, how?: Stoppable) =>
      http.json<readonly ListedSkill[]>('/v1/skills', { ...how, query }),
    get: (id: string, how?: Stoppable) => http.json<Skill>(at(id), how),
    lookup: (by: SkillLookupRequest, how?: Stoppable) =>
      post<Skill>('/v1/skills/lookup', by, { ...how, repeatable: true }),
    versions: (id: string, how?: Stoppable) => http.json<readonly Skill[]>(at(id, '/versions'), how),
    /** Creates the next version: given parts change, the rest stays. */
    update: (id: string, changes: SkillUpdateRequest, how?: Stoppable) => post<Skill>(at(id, '/update'), changes, how),
    /** The bundle as a ZIP archive. */
    async download(id: string, how: Stoppable = {}): Promise<Uint8Array<ArrayBuffer>> {
      const { download_url } = await http.json<SkillDownload>(at(id, '/download'), how)
      // The URL is signed: whatever its host, the file is on this server.
      const { pathname, search } = new URL(download_url, http.base)
      return http.bytes(pathname + search, how)
    },
    delete: (id: string, how?: Stoppable) => http.json<Skill>(at(id), { ...how, method: 'DELETE' }),
    /** Cases that judge versions and programs. */
    cases: (id: string, how?: Stoppable) => http.json<readonly SkillCase[]>(at(id, '/cases'), how),
    addCases: (id: string, cases: SkillCasesRequest['cases'], how?: Stoppable) =>
      post<readonly SkillCase[]>(at(id, '/cases'), { cases }, how),
    deleteCase: (id: string, caseId: string, how?: Stoppable) =>
      http.json<SkillCase>(at(id, `/cases/${encodeURIComponent(caseId)}`), { ...how, method: 'DELETE' }),
    evaluate: (id: string, request: EvaluateRequest = {}, how?: Stoppable) =>
      post<SkillEvaluation>(at(id, '/evaluate'), request, how),
    evaluations: (id: string, how?: Stoppable) => http.json<readonly SkillEvaluation[]>(at(id, '/evaluations'), how),
    evaluation: (id: string, evaluationId: string, how?: Stoppable) =>
      http.json<SkillEvaluation>(at(id, `/evaluations/${encodeURIComponent(evaluationId)}`), how),
    /** Has a model propose better instructions, and publishes the best proposal that is better on cases that the model never saw. */
    improve: (id: string, request: ImproveRequest = {}, how?: Stoppable) =>
      post<SkillImprovement>(at(id, '/improve'), request, how),
    improvements: (id: string, how?: Stoppable) => http.json<readonly SkillImprovement[]>(at(id, '/improvements'), how),
    improvement: (id: string, improvementId: string, how?: Stoppable) =>
      http.json<SkillImprovement>(at(id, `/improvements/${encodeURIComponent(improvementId)}`), how),
    cancelImprovement: (id: string, improvementId: string, how?: Stoppable) =>
      post<SkillImprovement>(at(id, `/improvements/${encodeURIComponent(improvementId)}/cancel`), {}, how),
    compile: (id: string, request: ProgramCompileRequest = {}, how?: Stoppable) =>
      post<Program>(at(id, '/programs'), request, how),
    programs: (id: string, how?: Stoppable) => http.json<readonly Program[]>(at(id, '/programs'), how),
    program: (id: string, programId: string, how?: Stoppable) =>
      http.json<Program>(at(id, `/programs/${encodeURIComponent(programId)}`), how),
    deleteProgram: (id: string, programId: string, how?: Stoppable) =>
      http.json<Program>(at(id, `/programs/${encodeURIComponent(programId)}`), { ...how, method: 'DELETE' }),
  }
}

function headOf(folder: Folder): FrontMatter {
  const file = folder['SKILL.md']
  return frontMatterOf(typeof file === 'string' ? file : new TextDecoder().decode(file))
}
