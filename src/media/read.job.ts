export { readDocument as default } from './read-document.ts'
