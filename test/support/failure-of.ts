/** What a promise is rejected with; undefined when it is not. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever a client throws.
export const failureOf = (promise: PromiseLike<unknown>): Promise<any> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  )
