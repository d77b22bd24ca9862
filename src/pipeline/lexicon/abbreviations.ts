/** Words that have a full stop of their own. */
import { wordSet } from './word-set.ts';

/** Something always follows these in the same sentence. */
export const NEVER_LAST = wordSet(
  'mr mrs ms mx messrs mme mlle dr prof rev hon gen col maj capt cpt cmdr lt sgt gov sen pres supt adm mt ' +
    'e.g eg i.e ie vs cf viz approx ca resp incl excl',
);

/** 'No. 5' is a number, 'no.' an answer; only what follows tells. */
export const BEFORE_NUMBERS = wordSet(
  'no nos nr nº p pp pg pgs vol vols ch chap sec sect art par para fig figs eq eqs ver',
);

/** May end a sentence, and do if a word follows that seldom stands with a capital in the middle of one. */
export const SELDOM_LAST = wordSet(
  'inc ltd co corp llc plc bros dept univ assn assoc govt est dist natl intl jr sr esq ph.d m.sc b.sc st ste ave blvd ' +
    'rd hwy bldg apt jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun etc ' +
    'al rep ft hr hrs min mins lb lbs oz kg km cm mm mi yd gal sq cu avg ext tel ed eds trans orig misc ref refs ibid ' +
    'mfg mgr dir asst tab app',
);

/** Beside figures their full stop is part of them; without it 'in' and 'no' are other words. */
export const STOP_BESIDE_FIGURES = wordSet(
  'c ca approx no nos nr fig figs p pp pg sec sect ch chap art vol rs est sq cu max avg para eq jan feb mar apr jun jul ' +
    'aug sep sept oct nov dec ft in lb lbs oz yd mi hr hrs min mins',
);
