import type { ComponentChild, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem, Skeletons } from './notes.tsx'

/** A screen whose code is loaded on first use. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { fallback = <Skeletons /> }: { fallback?: ComponentChild } = {},
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [Screen, setScreen] = useState<ComponentType<Props> | undefined>(() => known)
    const [hasFailed, setHasFailed] = useState(false)
    useEffect(() => {
      if (Screen) return
      load()
        .then((loaded) => {
          known = loaded
          setScreen(() => loaded)
        })
        .catch(() => setHasFailed(true))
    }, [Screen])
    if (hasFailed) return <Problem text="This part of the console could not be loaded. Reload the page." />
    return Screen ? <Screen {...props} /> : fallback
  }
}
