import { leave } from '../api.ts'
import { Link } from '../router.tsx'
import { key, signIn } from '../session.ts'
import { useSignal } from '../state.ts'

/** The signed-in user, and sign-out. */
export function UserMenu() {
  const keyText = useSignal(key)
  const user = useSignal(signIn)?.user
  return (
    <>
      {keyText === null && user && (
        <Link to="/account" class="quiet button">
          {user.name}
        </Link>
      )}
      <button type="button" class="quiet" onClick={() => void leave()}>
        Sign out
      </button>
    </>
  )
}
