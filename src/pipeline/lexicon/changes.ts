/** Words that tell of a change: 'rose', 'a drop', 'fewer'. */
import { wordSet } from './word-set.ts';

export const CHANGES = wordSet(
  'rose rise rises rising risen grew grow grows growing grown fell fall falls falling fallen increased increase increases ' +
    'increasing decreased decrease decreases decreasing dropped drop drops dropping declined decline declines declining ' +
    'climbed climb climbs climbing jumped jump jumps jumping surged surge surges soared soar slid slide slipped slip ' +
    'shrank shrink shrunk reduced reduce reduces reducing reduction raised raise raises raising lowered lower cut cuts ' +
    'cutting expanded expand expands expanding extended extend gained gain gains plunged plunge plummeted dipped doubled tripled ' +
    'quadrupled halved changed change changes went up down improved boosted boost hiked hike growth swelled dwindled trimmed ' +
    'widened narrowed moved revised upgraded downgraded appreciated depreciated eased edged rebounded tumbled',
);
/** With a figure right after, these say by how much. */
export const BY_THEMSELVES = wordSet(
  'rose rise rises rising grew grow grows growing fell falls falling increased increases increasing decreased decreases ' +
    'dropped drops declined declines climbed climbs jumped jumps surged surges soared slid slipped shrank up down gained ' +
    'gains plunged plummeted dipped improved tumbled rebounded edged',
);
export const CHANGE_NOUNS = wordSet(
  'increase rise growth decrease decline drop fall reduction gain jump surge cut raise hike improvement slump boost loss spike dip discount',
);
export const COMPARISONS = wordSet(
  'more fewer less higher lower greater larger smaller bigger longer shorter older younger taller faster slower better worse cheaper',
);
