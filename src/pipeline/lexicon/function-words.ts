/** Words that say how a sentence is built and not what it is about. */
import { ONE_TO_TEN } from './number-words.ts';
import { classOf, wordClass } from './word-class.ts';
import { wordSet } from './word-set.ts';

/** Left out of what is compared. */
export const FUNCTION_WORDS = wordSet(`
a an the this that these those of in on at by for with from to into onto upon over under about as than and or nor
is are was were be been being am has have had having do does did done will would shall should can could may might must
it its he him his she her hers they them their theirs we us our ours you your yours i me my mine who whom whose which what
there here where when while then also too so such very just only even still yet already both either neither each every
not no never none without n't 's s t d ll re ve yes but if unless because although though however whereas despite
up down out off again further once more most less least many much few several some any all other another own same
during before after since until till through across between among within against along around near per via
himself herself itself themselves itself how why first
about approximately roughly nearly almost around circa ca c some exactly precisely over
said says say according
etc eg ie`);

export const FUNCTION_WORD = classOf(FUNCTION_WORDS);

export const PREPOSITIONS = wordSet('in at on by for with from to as');

export const PRONOUN = wordClass('he she it they his her its their him them this these we our');

/** After 'the' these point back to what the document is about. */
export const GENERIC_SUBJECTS = wordSet(`
company firm corporation organisation organization business group team band album song film movie book novel series show
programme program city town village country state county district region province school university college museum church
building bridge river lake mountain island station airport battle war treaty game match race season player singer actor
actress politician author writer artist project product service system device vehicle ship aircraft plane train hotel
hospital club agency department ministry party government tenant contract agreement report document site facility plant
store shop restaurant brand model version property house staircase park street road species disease drug event festival
award organisation foundation charity institute bank fund court law act bill policy order parish cathedral magazine
newspaper channel network label record single play musical opera episode character`);

/** Capitalised where they start a sentence, and then no names. */
export const STARTERS = new Set([
  ...ONE_TO_TEN,
  ...wordSet(`
a an the this that these those it he she they we you i his her its their our my your in on at by for with from to of as
after before during since until when while where if although though however but and or so then there here also despite
because once both all some many most several each every no not never yes
according about over under more less what who why how which whose today currently originally formerly recently later
following prior effective beginning between among within without upon unlike like only even following employees customers
people last due please tax annual fiscal total average mass police officials men women children students`),
]);

/** Written with a capital, these nearly always begin a sentence. */
export const SENTENCE_OPENERS = wordSet(
  'The A An It Its He His She Her They Their We Our You Your This That These Those There Here In On At By For From To ' +
    'With Within Without As If When While Since Although Though Because Before After During Until Once However Moreover ' +
    'Furthermore Therefore Thus Meanwhile Instead Later Then Now Today But And Or So Yet Also Both Each Every All Some ' +
    'Many Most Several Few No Not Only What Who Which Where Why How Under Over According Despite Unlike',
);
