import { z } from 'zod'
import { type Reply, type Route, route } from '../../adapters/http/route.ts'
import { contentReplies, contentReply } from './content.ts'
import {
  deleteFile,
  type FileParts,
  type FileRecord,
  loadFile,
  receiveFile,
  signedClaim,
  unknownFile,
} from './files.ts'
import { presignedRoutes } from './presigned.ts'
import { publicUrlOf, type UrlRequest } from './public-url.ts'
import { selectFileByMd5, selectFiles } from './store.ts'
import {
  fileParams,
  fileQuery,
  fileSchema,
  hashParams,
  listQuery,
  signedQuery,
  uploadQuery,
  type WireFile,
  wireFile,
} from './wire.ts'

export type { FileParts } from './files.ts'

/** Uploads, lists, reads and deletes files. */
export function fileRoutes(parts: FileParts): Route[] {
  return [
    ...presignedRoutes(parts),
    uploadRoute(parts),
    listRoute(parts),
    hashRoute(parts),
    findRoute(parts),
    contentRoute(parts),
    deleteRoute(parts),
    publicRoute(parts),
  ]
}

function uploadRoute(parts: FileParts): Route {
  return route({
    method: 'post',
    path: '/v1/files',
    operation: 'uploadFile',
    summary: 'Upload a file',
    tag: 'files',
    scope: 'files:write',
    query: uploadQuery,
    body: 'stream',
    reply: { status: 201, description: 'The file', schema: fileSchema },
    failures: [503],
    async handle(request) {
      return shown(parts, await receiveFile(parts, request, () => request.query.purpose), request)
    },
  })
}

function listRoute(parts: FileParts): Route {
  return route({
    method: 'get',
    path: '/v1/files',
    operation: 'listFiles',
    summary: 'List the files of this workspace, newest first',
    tag: 'files',
    scope: 'read',
    query: listQuery,
    reply: { status: 200, description: 'The files', schema: z.array(fileSchema) },
    async handle(request) {
      const { skip, limit } = request.query
      const files = await selectFiles(request.db, { workspaceId: request.caller.workspaceId, skip, limit })
      return { json: files.map((file) => wireFile(file, publicUrlOf(parts, file, request))) }
    },
  })
}

function hashRoute(parts: FileParts): Route {
  return route({
    method: 'get',
    path: '/v1/files/hash/{md5}',
    operation: 'findFileByHash',
    summary: 'Find a file of this workspace by the MD5 of its content, in hexadecimal',
    tag: 'files',
    scope: 'read',
    params: hashParams,
    query: fileQuery,
    reply: { status: 200, description: 'The first file with this content', schema: fileSchema },
    failures: [404],
    async handle(request) {
      const { md5 } = request.params
      const where = { workspaceId: request.caller.workspaceId, md5: Buffer.from(md5, 'hex') }
      const file = /^[0-9a-f]{32}$/i.test(md5) ? await selectFileByMd5(request.db, where) : undefined
      if (!file) throw unknownFile()
      return shown(parts, file, request)
    },
  })
}

function findRoute(parts: FileParts): Route {
  return route({
    method: 'get',
    path: '/v1/files/{id}',
    operation: 'getFile',
    summary: 'One file',
    tag: 'files',
    scope: 'read',
    params: fileParams,
    query: fileQuery,
    reply: { status: 200, description: 'The file', schema: fileSchema },
    failures: [404],
    async handle(request) {
      return shown(parts, await loadFile(request, whereOf(request)), request)
    },
  })
}

function contentRoute(parts: FileParts): Route {
  return route({
    method: 'get',
    path: '/v1/files/{id}/content',
    operation: 'getFileContent',
    summary: 'Download a file; Range and If-None-Match are supported',
    tag: 'files',
    scope: 'read',
    params: fileParams,
    ...contentReplies,
    async handle(request) {
      return contentReply(parts, await loadFile(request, whereOf(request)), request.headers)
    },
  })
}

function deleteRoute(parts: FileParts): Route {
  return route({
    method: 'delete',
    path: '/v1/files/{id}',
    operation: 'deleteFile',
    summary: 'Delete a file, or a pending presigned upload, whose URL then stops working',
    tag: 'files',
    scope: 'files:write',
    params: fileParams,
    reply: { status: 200, description: 'The deleted file; without bytes for a pending upload', schema: fileSchema },
    failures: [404],
    async handle(request) {
      return {
        json: wireFile(
          await deleteFile({ ...parts, db: request.db }, { ...whereOf(request), keyId: request.caller.keyId }),
          undefined,
        ),
      }
    },
  })
}

function publicRoute(parts: FileParts): Route {
  return route({
    method: 'get',
    path: '/v1/public/files/{id}',
    operation: 'getPublicFile',
    summary: 'Download a file by its signed public_url',
    tag: 'files',
    scope: 'public',
    params: fileParams,
    query: signedQuery,
    ...contentReplies,
    async handle({ db, params, query, headers }) {
      const claim = signedClaim(parts, { use: 'download', id: params.id, query })
      if (!claim) throw unknownFile()
      const { workspaceId } = claim
      const file = await loadFile({ db: db.within(workspaceId) }, { workspaceId, id: params.id })
      return contentReply(parts, file, headers)
    },
  })
}

const whereOf = (request: { caller: { workspaceId: string }; params: { id: string } }) => ({
  workspaceId: request.caller.workspaceId,
  id: request.params.id,
})

const shown = (parts: FileParts, file: FileRecord, request: UrlRequest): Reply<WireFile> => ({
  json: wireFile(file, publicUrlOf(parts, file, request)),
})
