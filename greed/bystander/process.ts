/** The bystander's process: nothing else runs in it, so that its clock is its own. Asked by message, it posts and says what it saw. */
import { post, type Wish } from './posts.ts';

process.on('disconnect', () => process.exit());
process.on('message', async (wish: Wish) => {
  process.send?.(await post(wish));
});
process.send?.('ready');
