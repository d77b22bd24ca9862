/** Pairs of words that cannot both be said of the same thing at the same time. */
import { stem } from './stem.ts';

const PAIRS = `
open closed|open shut|opened closed|rose fell|rose dropped|rise fall|increase decrease|increased declined|increased fell
grew shrank|grew declined|gained lost|up down|higher lower|highest lowest|high low|approved rejected|approved denied
accepted rejected|accepted declined|accepted refused|granted denied|passed failed|won lost|succeeded failed|success failure
successful unsuccessful|present absent|alive dead|living deceased|true false|legal illegal|lawful unlawful|valid invalid
possible impossible|able unable|available unavailable|complete incomplete|finished unfinished|guilty innocent
convicted acquitted|married unmarried|married single|married divorced|active inactive|enabled disabled|allowed prohibited
allowed forbidden|permitted prohibited|permitted banned|legal banned|required optional|mandatory optional|mandatory voluntary
included excluded|public private|positive negative|favorable negative|favourable negative|favorable unfavorable
favourable unfavourable|positive mixed|praised criticised|praised criticized|praised panned|good bad|best worst|better worse
greatest worst|largest smallest|biggest smallest|big small|large small|longest shortest|long short|tallest shortest
oldest youngest|old young|old new|older younger|fastest slowest|fast slow|most least|more less|more fewer|early late
earliest latest|first last
profit loss|surplus deficit|supported opposed|support oppose|agreed disagreed
ally enemy|allies enemies|friend enemy|male female|man woman|men women|boy girl|king queen|husband wife|father mother|son daughter
brother sister|actor actress|masculine feminine|north south|northern southern|east west|eastern western|northeast southwest
northwest southeast|left right|above below|inside outside|indoor outdoor|before after|day night|summer winter|hot cold
warm cold|wet dry|hard soft|heavy light|strong weak|rich poor|cheap expensive|safe dangerous|safe unsafe|clean dirty
full empty|visible invisible|known unknown|common rare|popular unpopular|major minor|majority minority|huge little|huge small
amateur professional|professional unprofessional|fiction nonfiction|fictional real|domestic foreign|urban rural|stagnant flowing
confirmed denied|confirmed unconfirmed|connected unconnected|related unrelated|dependent independent|reversible irreversible
toxic nontoxic|operational defunct|occupied vacant|solvent insolvent|on-time late|online offline|encrypted unencrypted
compliant noncompliant|renewed cancelled|renewed expired|extended terminated|active terminated|active suspended
resolved unresolved|paid unpaid|signed unsigned|secure insecure|stable unstable|healthy sick|lead supporting|maintain change
permanent temporary|internal external|input output|upper lower|front back|vertical horizontal|manual automatic|loyal disloyal
full-time part-time|mandatory voluntary|compulsory voluntary|compulsory optional|heated unheated|pass fail|upheld rejected|upheld dismissed|allowed dismissed|granted refused|approved refused
carried defeated|adopted rejected|released blocked`;

const opposites = new Map<string, Set<string>>();
for (const pair of PAIRS.trim().split(/[|\n]/)) {
  const [one = '', other = ''] = pair.split(' ').map(stem);
  if (one === other) continue;
  opposites.set(one, (opposites.get(one) ?? new Set()).add(other));
  opposites.set(other, (opposites.get(other) ?? new Set()).add(one));
}

/** Of stems. */
export const areOpposite = (one: string, other: string) => opposites.get(one)?.has(other) ?? false;

export const hasOpposite = (word: string) => opposites.has(word);
