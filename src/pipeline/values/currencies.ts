/** Currencies by symbol, code and name. */

/** Each with its code. */
const table = (pairs: string) => new Map(pairs.split('|').map((pair) => pair.split(' ') as [string, string]));

/** A bare dollar sign is read as the American one: the commonest, and never compared with another. */
export const CURRENCY_SYMBOLS = table(
  '$ usd|€ eur|£ gbp|¥ jpy|₹ inr|₩ krw|₽ rub|₺ try|₪ ils|₫ vnd|₴ uah|₦ ngn|₱ php|฿ thb|₿ btc',
);

/** Before a dollar sign. */
export const DOLLAR_PREFIXES = table(
  'US usd|U.S. usd|A aud|AU aud|C cad|CA cad|NZ nzd|HK hkd|S sgd|NT twd|R brl|MX mxn|' +
    'USD usd|AUD aud|CAD cad|NZD nzd|HKD hkd|SGD sgd',
);

export const CURRENCY_CODES = new Map<string, string>(
  (
    'USD EUR GBP JPY CNY RMB INR AUD CAD CHF NZD SEK NOK DKK PLN CZK HUF RUB TRY BRL MXN ZAR KRW SGD HKD TWD THB IDR MYR ' +
    'PHP ILS AED SAR NGN KES EGP PKR BDT VND UAH BTC ETH'
  )
    .split(' ')
    .map((code) => [code, code === 'RMB' ? 'cny' : code.toLowerCase()] as const),
);
CURRENCY_CODES.set('Rs', 'inr').set('Rs.', 'inr').set('CHF', 'chf').set('Fr.', 'chf');

export interface CurrencyName {
  code: string;
  /** What one of them is worth in the currency. */
  factor: number;
}

const names = (code: string, factor: number, words: string) =>
  words.split(' ').map((word) => [word, { code, factor }] as const);

/** Pounds are weights unless they say 'sterling'. */
export const CURRENCY_NAMES = new Map<string, CurrencyName>([
  ...names('usd', 1, 'dollar dollars bucks'),
  ...names('usd', 0.01, 'cent cents'),
  ...names('eur', 1, 'euro euros'),
  ...names('gbp', 0.01, 'pence'),
  ...names('jpy', 1, 'yen'),
  ...names('cny', 1, 'yuan renminbi'),
  ...names('inr', 1, 'rupee rupees'),
  ...names('rub', 1, 'rouble roubles ruble rubles'),
  ...names('chf', 1, 'francs'),
  ...names('zar', 1, 'rand'),
  ...names('brl', 1, 'reais'),
  ...names('btc', 1, 'bitcoin bitcoins'),
]);

/** Before 'dollars'. */
export const NATIONS = table('us usd|american usd|australian aud|canadian cad|singapore sgd');
