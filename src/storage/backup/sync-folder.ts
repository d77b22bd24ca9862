/** The names in a folder are on the disk only when the folder is, too. */
import { open } from 'node:fs/promises';

/** Some disks, such as shared folders, have no such thing for a folder. */
const NOT_SYNCED = /^(EINVAL|ENOTSUP|EOPNOTSUPP)$/;

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync().catch((error) => {
      if (!NOT_SYNCED.test(error.code)) throw error;
    });
  } finally {
    await handle.close();
  }
}
