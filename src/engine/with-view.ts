import type { AccessFilter } from '../core/access/access-filter.js'
import type { Backend } from '../ports/backend.js'
import type { View } from '../ports/view.js'

/** Opens what a question about one owner's facts needs, or about everyone's, as far as it may reach, for as long as it is used. */
export async function withView<T>(
  backend: Pick<Backend, 'view'>,
  owner: string | undefined,
  use: (view: View) => Promise<T>,
  reach?: AccessFilter,
): Promise<T> {
  const view = await backend.view(owner, reach)
  try {
    return await use(view)
  } finally {
    view.close()
  }
}
