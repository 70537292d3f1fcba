export type { Piece, Words } from './words.ts'
