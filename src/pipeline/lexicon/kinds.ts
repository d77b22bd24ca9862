/** Words of which one thing bears only one of a kind: what it is, and where it is from. */
import { stem } from './stem.ts';

/** Countries with the words for who or what is from there. Those that overlap stand on one line. */
const NATIONS = `
america american usa u.s us united-states|canada canadian|mexico mexican|brazil brazilian|argentina argentine argentinian
chile chilean|peru peruvian|colombia colombian|venezuela venezuelan|cuba cuban|jamaica jamaican|haiti haitian
britain british england english scotland scottish wales welsh uk u.k ireland irish|france french|germany german
italy italian|spain spanish catalan basque|portugal portuguese|netherlands dutch|belgium belgian flemish|luxembourg luxembourgish
switzerland swiss|austria austrian|poland polish|czech czechia czechoslovak|slovakia slovak|hungary hungarian|romania romanian
bulgaria bulgarian|greece greek|turkey turkish|russia russian soviet|ukraine ukrainian|belarus belarusian|sweden swedish
norway norwegian|denmark danish|finland finnish|iceland icelandic|estonia estonian|latvia latvian|lithuania lithuanian
serbia serbian yugoslav|croatia croatian|bosnia bosnian|slovenia slovenian|albania albanian|macedonia macedonian
israel israeli|palestine palestinian|egypt egyptian|iran iranian persian|iraq iraqi|syria syrian|lebanon lebanese
saudi saudi-arabian|yemen yemeni|jordan jordanian|india indian tamil bengali punjabi|pakistan pakistani|bangladesh bangladeshi
nepal nepalese|sri-lanka lankan|china chinese taiwan taiwanese hong-kong|japan japanese|korea korean|vietnam vietnamese
thailand thai|cambodia cambodian|malaysia malaysian|singapore singaporean|indonesia indonesian|philippines filipino philippine
australia australian|zealand zealander|nigeria nigerian|ghana ghanaian|kenya kenyan|ethiopia ethiopian|uganda ugandan
tanzania tanzanian|zimbabwe zimbabwean|morocco moroccan|algeria algerian|tunisia tunisian|libya libyan|sudan sudanese
senegal senegalese|cameroon cameroonian|congo congolese|armenia armenian|georgia georgian|kazakhstan kazakh|afghanistan afghan
mongolia mongolian|malta maltese|cyprus cypriot`;

/** What a thing is; a thing of one line is none of another. */
const SORTS = {
  person: `actor actress singer songwriter politician author writer novelist poet player footballer quarterback musician drummer
guitarist rapper director producer screenwriter journalist broadcaster lawyer engineer scientist physicist chemist philosopher
mathematician businessman businesswoman entrepreneur model dancer comedian artist painter sculptor architect composer
conductor pianist historian general soldier admiral king queen emperor prince princess president senator governor mayor
minister bishop priest cardinal pope monk nun saint teacher professor physician doctor nurse chef athlete boxer wrestler
cricketer swimmer cyclist golfer coach filmmaker inventor explorer astronaut murderer criminal terrorist activist man woman
boy girl child person`,
  place: `city town village country nation state county district province region island river lake mountain sea ocean desert
peninsula municipality commune settlement suburb neighbourhood neighborhood borough capital continent bay valley volcano`,
  work: `film movie album song single novel book series sitcom show play musical opera symphony poem painting comic manga anime
soundtrack ep episode documentary magazine newspaper videogame`,
  group: `company corporation firm band orchestra team club party university college school agency bank charity union`,
  creature: `bird fish mammal reptile insect plant tree flower fungus dinosaur bacterium virus breed species genus`,
  stuff: `cuisine dish drink beverage cheese sauce bread dessert beer wine spirit`,
  craft: `ship aircraft airplane helicopter locomotive car automobile submarine spacecraft satellite rifle pistol`,
};

/** Parts of countries, and wholes of them, in which a town may lie. */
const REGIONS = `alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho illinois indiana
iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada
ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia wisconsin wyoming bavaria saxony hesse ontario quebec
alberta manitoba catalonia andalusia lombardy tuscany normandy brittany flanders wallonia queensland victoria tasmania county
province state region district europe asia africa america oceania valley`;

const nations = new Map<string, number>();
NATIONS.trim()
  .split(/[|\n]/)
  .forEach((line, index) => {
    for (const word of line.split(' ')) nations.set(word, index);
  });

const sorts = new Map<string, string>();
for (const [sort, words] of Object.entries(SORTS)) for (const word of words.split(/\s+/)) sorts.set(word, sort);

/** A number for the country, undefined if the word names none. */
export const nationOf = (word: string) => nations.get(word);
export const sortOf = (word: string) => sorts.get(word);

const regions = new Set([...REGIONS.split(/\s+/), ...nations.keys()].map(stem));
/** Of a stem. */
export const isRegion = (word: string) => regions.has(word);
