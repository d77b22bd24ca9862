/** Words that have a full stop of their own. */

const words = (list: string) => new Set(list.split(' '));

/** Something always follows these in the same sentence. */
export const NEVER_LAST = words(
  'mr mrs ms mx messrs mme mlle dr prof rev hon gen col maj capt cpt cmdr lt sgt gov sen pres supt adm mt ' +
    'e.g eg i.e ie vs cf viz approx ca resp incl excl',
);

/** 'No. 5' is a number, 'no.' an answer; only what follows tells. */
export const BEFORE_NUMBERS = words(
  'no nos nr nº p pp pg pgs vol vols ch chap sec sect art par para fig figs eq eqs ver',
);

/** May end a sentence, and do if a word follows that seldom stands with a capital in the middle of one. */
export const SELDOM_LAST = words(
  'inc ltd co corp llc plc bros dept univ assn assoc govt est dist natl intl jr sr esq ph.d m.sc b.sc st ste ave blvd ' +
    'rd hwy bldg apt jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun etc ' +
    'al rep ft hr hrs min mins lb lbs oz kg km cm mm mi yd gal sq cu avg ext tel ed eds trans orig misc ref refs ibid ' +
    'mfg mgr dir asst tab app',
);

/** Written with a capital, these nearly always begin a sentence. */
export const STARTERS = words(
  'The A An It Its He His She Her They Their We Our You Your This That These Those There Here In On At By For From To ' +
    'With Within Without As If When While Since Although Though Because Before After During Until Once However Moreover ' +
    'Furthermore Therefore Thus Meanwhile Instead Later Then Now Today But And Or So Yet Also Both Each Every All Some ' +
    'Many Most Several Few No Not Only What Who Which Where Why How Under Over According Despite Unlike',
);
