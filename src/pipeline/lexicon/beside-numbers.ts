/** Words that tell what a number beside them is: a name, a year, a count. */
import { FUNCTION_WORDS } from './function-words.ts';
import { ONE_TO_TEN } from './number-words.ts';
import { wordSet } from './word-set.ts';

/** Never the noun that is counted, and never a name before a number. */
export const NEVER_COUNTED = new Set([
  ...FUNCTION_WORDS,
  ...ONE_TO_TEN,
  ...wordSet(
    'including plus minus ago later earlier old long wide high tall deep away apart respectively compared due worth well now ' +
      'today made found gave took went came got left led won lost became remains remained began begin like',
  ),
]);

/** Before a number these make it the name of a thing; few are verbs that count. */
export const LABELS = wordSet(
  'page pages p pp pg section sections sect sec chapter chapters ch chap article articles art fig figs figure figures table ' +
    'tables version v ver item step appendix clause paragraph para line room flight route highway interstate channel vol ' +
    'volume episode season isbn issn phone tel telephone fax ext id ref invoice ticket type phase level tier grade zip rfc ' +
    'iso port building block rule note nb equation eq chromosome exhibit annex schedule amendment regulation directive form ' +
    'bullet column row slide lesson exercise question problem example theorem lemma footnote endnote apollo gate platform ' +
    'suite apartment apt part unit stage round lap game match heat group division category class model mark week patient ' +
    'sample policy pump motor fan tank procedure revision release zone sector plot lot batch bay lane shift order case job',
);

/** 'On day 3 patient 718 had …': after these a number tells which one, whatever follows. */
export const NUMBERED = wordSet(
  `day week month year quarter phase stage step level tier grade class type zone line lane track platform gate bay room ward
floor unit flat suite block building page chapter section article clause paragraph item lot batch version release revision
edition issue round lap shift patient ticket case invoice order policy account truck bus train tram flight pump boiler crane
machine tank lift number no`,
);

/** With a capital at the start of a sentence, yet no names. */
export const OPENING_WORDS = wordSet(
  'approximately roughly nearly almost exactly estimated fewer least most last next another employing employs employed ' +
    'population total overall currently officially reportedly founded established built opened born died age aged year ' +
    'years altogether additionally meanwhile recently eventually initially yes no number around circa barely hardly ' +
    'price cost revenue employees staff members height length weight width depth area capacity speed duration founded',
);

/** With a capital in headlines: 'Quake Kills 40'. */
export const HEADLINE_VERBS = wordSet(
  'add adds kill kills killed win wins cut cuts lose loses gain gains rise rises rose fall falls fell jump jumps drop drops ' +
    'hire hires fire fires buy buys sell sells sold raise raises pay pays make makes take takes give gives see sees hit hits ' +
    'top tops reach reaches employ employs injure injures leave leaves cost costs create creates lay lays face faces',
);

/** What follows is a year. */
export const BEFORE_YEARS = wordSet(
  'in since until till during year end circa c ca born died early late mid fiscal founded established est built opened spring ' +
    'summer autumn winter dated season pre post annum b d fl',
);
/** What follows may be a year or a count. */
export const MAYBE_BEFORE_YEARS = wordSet(
  'of by from to before after around about between and through for on or than as over',
);
export const DETERMINERS = wordSet('the his her its their our my your this that a an');

const IRREGULAR_PLURALS = wordSet(
  'people men women children staff mice feet teeth aircraft species sheep fish data police personnel cattle media criteria ' +
    'phenomena alumni fungi bacteria troops series spacecraft offspring businessmen businesswomen policemen fishermen ' +
    'servicemen congressmen crew seats',
);
/** Plural in form, but another noun follows: '25 sales offices'. */
const JOINED = wordSet(
  'sales sports news goods arms savings systems operations always perhaps across less unless plus various',
);

export function looksPlural(word: string): boolean {
  if (IRREGULAR_PLURALS.has(word)) return true;
  return word.length > 3 && word.endsWith('s') && !/(?:ss|us|is|ics|’s|'s)$/.test(word) && !JOINED.has(word);
}

/** 'A total of 2000' is no year. */
export const MEASURED = wordSet(
  'amount total average sum population capacity number price cost rate height distance maximum minimum speed score profit ' +
    'salary altitude elevation length depth width weight value fee fine income budget loss deposit maximum crowd crew staff ' +
    'membership workforce force audience attendance circulation quantity volume area density mean limit target hundreds tens',
);

/** Before a noun; what they describe comes after them. */
export const ADJECTIVES = wordSet(
  'other minor major new old large small big young main live full good great high low long short single different public private ' +
    'male female top key senior junior extra foreign domestic separate known whole half double triple free local former ' +
    'further additional active adult average best common complete direct early entire equal fresh giant heavy huge human ' +
    'individual key large late leading little modern open own poor rich rare real recent similar simple special strong sure ' +
    'tiny total true unique unknown usual various vast white black red blue green wide',
);

/** After four digits that are a year: '2010 census'. */
export const AFTER_YEARS = wordSet(
  'census season election elections edition film album albums novel book song single movie tournament championship ' +
    'championships olympics games cup estimate estimates births deaths report study budget act model fiscal general ' +
    'presidential summer winter world survey revolution war crisis earthquake referendum',
);
