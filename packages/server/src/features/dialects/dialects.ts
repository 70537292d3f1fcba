export { dialectFileRoutes, pageOfFiles } from './files.ts'
export { dialectSkillRoutes } from './skills.ts'
