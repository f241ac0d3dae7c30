import type { AccessFilter } from '../core/access/access-filter.js'
import type { StoragePorts } from '../ports/backend.js'
import type { View } from '../ports/view.js'

/** Opens a view for the duration of a function and closes it afterwards. */
export async function withView<T>(
  ports: Pick<StoragePorts, 'view'>,
  owner: string | undefined,
  use: (view: View) => Promise<T>,
  reach?: AccessFilter,
): Promise<T> {
  const view = await ports.view(owner, reach)
  try {
    return await use(view)
  } finally {
    view.close()
  }
}
