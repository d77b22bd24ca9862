/** Words that say how a sentence is built and not what it is about. */
import { MONTH_NAMES } from './months.ts';

export const list = (words: string) => new Set(words.trim().split(/\s+/));

/** Left out of what is compared. */
export const FUNCTION_WORDS = list(`
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

export const PRONOUNS = list('he she it they his her its their him them this these we our');

/** After 'the' these point back to what the document is about. */
export const GENERIC_SUBJECTS = list(`
company firm corporation organisation organization business group team band album song film movie book novel series show
programme program city town village country state county district region province school university college museum church
building bridge river lake mountain island station airport battle war treaty game match race season player singer actor
actress politician author writer artist project product service system device vehicle ship aircraft plane train hotel
hospital club agency department ministry party government tenant contract agreement report document site facility plant
store shop restaurant brand model version property house staircase park street road species disease drug event festival
award organisation foundation charity institute bank fund court law act bill policy order parish cathedral magazine
newspaper channel network label record single play musical opera episode character`);

export const MONTHS = new Set(MONTH_NAMES);

/** Capitalised where they start a sentence, and then no names. */
export const STARTERS = list(`
a an the this that these those it he she they we you i his her its their our my your in on at by for with from to of as
after before during since until when while where if although though however but and or so then there here also despite
because once both all some many most several each every one two three four five six seven eight nine ten no not never yes
according about over under more less what who why how which whose today currently originally formerly recently later
following prior effective beginning between among within without upon unlike like only even following employees customers
people last due please tax annual fiscal total average mass police officials men women children students`);
