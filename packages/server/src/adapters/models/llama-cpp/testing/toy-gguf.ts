/** The smallest dimensions that llama.cpp accepts. Tokens are bytes, weights are random. */
const width = 32
const heads = 2
const inner = 64
const contextTokens = 8_192
const alignment = 32

const types = { u32: 4, f32: 6, string: 8, array: 9, i32: 5 } as const
const float32 = 0

/**
 * A GGUF file (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, version 3) of a model of the Llama family with
 * random weights. Its output is meaningless; loading, grammars, limits and aborts work as with any model.
 */
export function toyGguf(): Buffer {
  const words = ['<unk>', '<s>', '</s>', ...Array.from({ length: 256 }, (_, byte) => byteToken(byte))]
  const kinds = words.map((_, index) => (index === 0 ? 2 : index < 3 ? 3 : 6))
  const entries = [
    entry('general.architecture', types.string, text('llama')),
    entry('llama.context_length', types.u32, u32(contextTokens)),
    entry('llama.embedding_length', types.u32, u32(width)),
    entry('llama.block_count', types.u32, u32(1)),
    entry('llama.feed_forward_length', types.u32, u32(inner)),
    entry('llama.rope.dimension_count', types.u32, u32(width / heads)),
    entry('llama.attention.head_count', types.u32, u32(heads)),
    entry('llama.attention.head_count_kv', types.u32, u32(heads)),
    entry('llama.attention.layer_norm_rms_epsilon', types.f32, f32([1e-5])),
    entry('tokenizer.ggml.model', types.string, text('llama')),
    entry('tokenizer.ggml.tokens', types.array, list(types.string, words.map(text))),
    entry(
      'tokenizer.ggml.scores',
      types.array,
      list(
        types.f32,
        words.map(() => f32([0])),
      ),
    ),
    entry('tokenizer.ggml.token_type', types.array, list(types.i32, kinds.map(u32))),
    entry('tokenizer.ggml.bos_token_id', types.u32, u32(1)),
    entry('tokenizer.ggml.eos_token_id', types.u32, u32(2)),
  ]
  const chance = makeChance()
  const tensors = [
    tensor('token_embd.weight', [width, words.length], chance),
    tensor('output_norm.weight', [width]),
    tensor('output.weight', [width, words.length], chance),
    tensor('blk.0.attn_norm.weight', [width]),
    tensor('blk.0.attn_q.weight', [width, width], chance),
    tensor('blk.0.attn_k.weight', [width, width], chance),
    tensor('blk.0.attn_v.weight', [width, width], chance),
    tensor('blk.0.attn_output.weight', [width, width], chance),
    tensor('blk.0.ffn_norm.weight', [width]),
    tensor('blk.0.ffn_gate.weight', [width, inner], chance),
    tensor('blk.0.ffn_up.weight', [width, inner], chance),
    tensor('blk.0.ffn_down.weight', [inner, width], chance),
  ]
  const infos: Buffer[] = []
  let offset = 0
  for (const { name, shape, data } of tensors) {
    infos.push(text(name), u32(shape.length), ...shape.map(u64), u32(float32), u64(offset))
    offset += data.length
  }
  const head = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(entries.length), ...entries, ...infos]
  return Buffer.concat([padded(Buffer.concat(head)), ...tensors.map(({ data }) => data)])
}

const byteToken = (byte: number): string => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`

/** Deterministic random numbers from -0.5 to 0.5 (Lehmer's generator). */
function makeChance(): () => number {
  let state = 42
  return () => {
    state = (state * 48_271) % 0x7fffffff
    return state / 0x7fffffff - 0.5
  }
}

function tensor(name: string, shape: readonly number[], weight: () => number = () => 1) {
  const count = shape.reduce((product, side) => product * side, 1)
  return { name, shape, data: padded(f32(Array.from({ length: count }, weight))) }
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)])
}

const entry = (name: string, type: number, value: Buffer): Buffer => Buffer.concat([text(name), u32(type), value])
const list = (type: number, values: readonly Buffer[]): Buffer =>
  Buffer.concat([u32(type), u64(values.length), ...values])

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function f32(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4)
  })
  return bytes
}

function text(value: string): Buffer {
  return Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)])
}
