/** Words that tell a plain fact from what is planned, thought of, or only said. */
import { wordClass } from './word-class.ts';
import { wordSet } from './word-set.ts';

/** These tell of what is meant to be. */
export const PLANS = wordSet(`
will would plan planned plans intend intends intended expect expects expected scheduled schedule aim aims aimed
propose proposed proposes upcoming forecast forecasts projected target targets hopes hope hoped want wants wanted foresee foresees foreseen shall`);

/** These tell of what may be, or may not. */
export const HYPOTHESES = wordSet(`
if could might should possibly perhaps maybe likely unlikely potentially probably suppose whether presumably
hypothetically`);

/** These tell of what somebody says or thinks, and what may not be so. */
export const REPORT = wordClass(`
say said says rumour rumor view opinion claimed claims reportedly allegedly alleged alleges believes believed think
thinks believe suspect suspects fear fears doubts rumoured rumored accused suspected argued argues thought denies
denied feared complained complains complain insists insisted`);

/** So do these before 'that': somebody wrote that it is so, or wrote a book. */
export const WRITE = wordClass('wrote writes written');

/** What such a paper says is taken as known. */
export const PAPER = wordClass(`
return report log register record certificate contract minutes invoice agreement sheet schedule note file ledger
statement`);

/** Verbs with which a text or a person puts something forward. */
export const SAYING = wordSet(`
says said say states stated shows showed notes noted confirms confirmed reports reported records recorded finds found
indicates indicated reminded informed told adds added explained writes wrote reads announced`);
