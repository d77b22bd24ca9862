/** Verbs in the forms that tell where a clause says something: 'the agreement starts', 'the band broke up'. */
import { classWhere } from './word-class.ts';
import { wordSet } from './word-set.ts';

/** In the present; many are nouns in the plural, too. */
const PRESENT = wordSet(
  `accepts acts admits affects agrees allows answers appears applies approves asks attends awards bears becomes begins
belongs borders borrows brings builds buys calls carries causes changes charges claims closes comes comprises concerns
connects consists contains continues contributes controls costs covers creates crosses declares defines delivers demands
denies depends describes develops dies differs directs draws drives earns employs ends enters equals establishes exceeds
expires extends faces fails falls features fits flies flows follows forbids forms gets gives goes grants grows guarantees
handles has heads helps holds hosts houses imposes improves includes increases insures involves joins keeps knows lacks
lasts leads leases leaves lies limits lists lives loses maintains makes manages manufactures marks means measures meets
moves needs notes obliges occupies occurs offers opens operates orders owes owns pays performs permits plays possesses
prefers prescribes presents prevents processes produces prohibits provides publishes purchases puts ranks reads receives
recommends reduces refers rejects releases relies remains removes rents repairs replaces reports represents requires
restricts returns rises rules runs says seats seems sells sends serves sets settles shares shows sings sits speaks spends
stands starts states stays stipulates stocks stops stores studies supersedes supplies supports takes teaches tells tests
totals trades treats turns understands uses wants warrants wears weighs wins works writes yields`,
);

const PAST = wordSet(
  `became began bore bought broke brought built came chose cost cut did drew drove ate fell felt fought found flew gave got
grew held hid hit kept knew laid led left lost made meant met paid put quit ran read rose said sang sank sat saw sent set
shook shot showed shut sold sought spent spoke spread stood stole struck swam taught thought threw told took understood went
won wore wrote`,
);

/** No ending tells these. */
export const IRREGULAR_PARTICIPLES = wordSet(`
born built made held known set written won led found taken given seen shot sold sung drawn run put cut hit left lost
kept sent spent`);

export const COPULAS = wordSet('is are was were');
const AUXILIARIES = wordSet(
  'is are was were has have had do does did will would shall should can could may might must',
);

export const isPresent = (word: string) => PRESENT.has(word);

/** In the month of May there is none. */
export const AUXILIARY = classWhere(({ text, lower }) => AUXILIARIES.has(lower) && text !== 'May');
/** In the present or the past. */
export const FINITE = classWhere(({ lower }) => PRESENT.has(lower) || PAST.has(lower));
export const FINITE_BY_ENDING = classWhere(({ lower }) => /(?:[^e]ed|ises|izes)$/.test(lower));
