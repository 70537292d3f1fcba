import { testBlobs } from '../conformance.ts'
import { memoryBlobs } from './memory.ts'

testBlobs('blobs in memory', async () => memoryBlobs())
