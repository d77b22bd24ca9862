/** Units of measure, each as so much of the base unit of its dimension. */
import type { Dimension } from './value.ts';

export interface Unit {
  dimension: Dimension;
  factor: number;
  /** Where its nought lies: only temperatures have one of their own. */
  offset: number;
  /** What cannot be converted into a dimension of ours keeps its name. */
  name: string;
}

export const FOOT = 0.3048;
const MILE = 1609.344;
export const HOUR = 3600;
const DAY = 24 * HOUR;
const YEAR = 365.25 * DAY;
const LITRES_PER_CUBIC_METRE = 1000;

/** Of entries such as 'kg Kg 1': the names of a unit, and how much of the base unit it is. */
const units = (dimension: Dimension, table: string, name = '') =>
  table.split('|').flatMap((entry) => {
    const names = entry.split(' ');
    const factor = Number(names.pop());
    return names.map((word): [string, Unit] => [word, { dimension, factor, offset: 0, name }]);
  });

/** In the plural, too, and as Americans write it. */
const nouns = (dimension: Dimension, table: string, name = '') =>
  units(dimension, table, name).flatMap(([word, unit]): [string, Unit][] =>
    [word, word.replace(/(met|lit)re$/, '$1er')].flatMap((noun): [string, Unit][] => [
      [noun, unit],
      [`${noun}s`, unit],
    ]),
  );

/** As written, capitals and all: MW is not mW. Those of one letter stand after digits only. */
export const UNIT_SYMBOLS = new Map<string, Unit>([
  ...units('length', `mm 0.001|cm 0.01|m 1|km Km KM kms 1000|µm μm 1e-6|nm 1e-9|ft ft. ${FOOT}|in. 0.0254`),
  ...units('length', `yd yd. yds 0.9144|mi mi. ${MILE}|nmi 1852`),
  ...units('mass', 'mg 1e-6|g 0.001|kg kg. Kg 1|t 1000|lb lbs lb. lbs. 0.45359237|oz oz. 0.028349523'),
  ...units('volume', `ml mL cc cm3 cm³ 0.001|cl cL 0.01|l L 1|m3 m³ ${LITRES_PER_CUBIC_METRE}|km3 km³ 1e12`),
  ...units('volume', 'ft3 ft³ 28.316846592|gal gal. 3.785411784'),
  ...units('area', `m2 m² sqm 1|km2 km² 1e6|cm2 cm² 1e-4|ha 1e4|ft2 ft² sqft ${FOOT ** 2}|mi2 mi² ${MILE ** 2}`),
  ...units('time', `ms 0.001|s sec secs sec. 1|min mins min. mins. 60|h hr hrs hr. hrs. ${HOUR}|yr yrs ${YEAR}`),
  ...units('data', `kB KB 1e3|MB 1e6|GB 1e9|TB 1e12|PB 1e15|KiB 1024|MiB ${1024 ** 2}|GiB ${1024 ** 3}`),
  ...units('data', `TiB ${1024 ** 4}|kb Kb kbit 125|Mb Mbit 125e3|Gb Gbit 125e6`),
  ...units('power', 'mW 0.001|W 1|kW 1e3|MW 1e6|GW 1e9|TW 1e12|hp bhp 745.7'),
  ...units('speed', `mph ${MILE / HOUR}|km/h kph kmph kmh ${1 / 3.6}|kn ${1852 / HOUR}`),
  ...units('count', 'Wh 1|kWh 1e3|MWh 1e6|GWh 1e9|TWh 1e12', 'wh'),
  ...units('count', 'Hz 1|kHz 1e3|MHz 1e6|GHz 1e9|THz 1e12', 'hz'),
  ...units('count', 'V 1|kV 1e3|mV 0.001', 'v'),
  ...units('count', 'Pa 1|kPa 1e3|MPa 1e6|hPa 100|bar 1e5|psi 6894.757', 'pa'),
  ...units('count', 'J 1|kJ 1e3|MJ 1e6|cal 4.184|kcal 4184', 'j'),
  ...units('count', 'mAh 1|Ah 1000', 'mah'),
  ...units('data', 'kbps Kbps 125|Mbps 125e3|Gbps 125e6', '/time'),
]);

/** In small letters. */
export const UNIT_WORDS = new Map<string, Unit>([
  ...nouns('length', `nanometre 1e-9|micrometre micron 1e-6|millimetre 0.001|centimetre 0.01|metre 1|kilometre 1000`),
  ...nouns('length', `mile ${MILE}|yard 0.9144`),
  ...units('length', `inch inches 0.0254|foot feet ${FOOT}`),
  ...nouns('length', 'furlong 201.168|lightyear 9.4607e15'),
  ...nouns('mass', 'milligram 1e-6|gram gramme 0.001|kilogram kilo 1|tonne ton 1000|kilotonne 1e6'),
  ...nouns('mass', 'pound 0.45359237|ounce 0.028349523'),
  ...nouns('volume', 'millilitre 0.001|litre 1|hectolitre 100|gallon 3.785411784|pint 0.473176473|quart 0.946352946'),
  ...nouns('volume', 'barrel 158.987295'),
  ...nouns('area', 'hectare 1e4|acre 4046.8564224'),
  ...nouns(
    'time',
    `millisecond 0.001|second 1|minute 60|hour ${HOUR}|day ${DAY}|week ${7 * DAY}|fortnight ${14 * DAY}`,
  ),
  ...nouns('time', `month ${YEAR / 12}|year ${YEAR}|decade ${10 * YEAR}`),
  ...units('time', `century centuries ${100 * YEAR}|millennium millennia ${1000 * YEAR}`),
  ...nouns('data', `bit ${1 / 8}|byte 1|kilobyte 1e3|megabyte 1e6|gigabyte 1e9|terabyte 1e12|petabyte 1e15`),
  ...nouns('data', 'megabit 125e3|gigabit 125e6'),
  ...nouns('power', 'watt 1|kilowatt 1e3|megawatt 1e6|gigawatt 1e9'),
  ...units('power', 'horsepower 745.7'),
  ...nouns('speed', `knot ${1852 / HOUR}`),
  ...nouns('count', 'volt 1|kilovolt 1e3', 'v'),
  ...units('count', 'hertz 1|kilohertz 1e3|megahertz 1e6|gigahertz 1e9', 'hz'),
  ...nouns('count', 'joule 1|calorie 4184', 'j'),
]);

export const SCALES = new Map<string, Unit>([
  ['c', { dimension: 'temperature', factor: 1, offset: 0, name: '' }],
  ['f', { dimension: 'temperature', factor: 5 / 9, offset: -160 / 9, name: '' }],
  ['k', { dimension: 'temperature', factor: 1, offset: -273.15, name: '' }],
]);
for (const word of ['celsius', 'centigrade', 'fahrenheit', 'kelvin', 'kelvins'])
  SCALES.set(word, SCALES.get(word.charAt(0)) as Unit);

export const PERCENT: Unit = { dimension: 'percent', factor: 1, offset: 0, name: '' };
/** Points compare with points: five of them are not five percent. */
export const POINTS: Unit = { dimension: 'percent', factor: 1, offset: 0, name: 'points' };

export const BASIS_POINTS: Unit = { ...POINTS, factor: 0.01 };

export function power(unit: Unit, exponent: 2 | 3): Unit | null {
  if (unit.dimension !== 'length') return null;
  if (exponent === 2) return { ...unit, dimension: 'area', factor: unit.factor ** 2 };
  return { ...unit, dimension: 'volume', factor: unit.factor ** 3 * LITRES_PER_CUBIC_METRE };
}
