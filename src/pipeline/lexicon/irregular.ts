/** Words whose forms no ending tells, and words that mean the same for our purpose: the first form, and the others. */
export const IRREGULAR = `
be: am is are was were been being | have: has had having | do: does did done doing | say: said | get: got gotten
make: made | go: went gone goes | take: took taken | come: came | see: saw seen | know: knew known | give: gave given
find: finds | found: founded founding foundation founder founders | think: thought | tell: told | become: became
show: shown showed | leave: left | feel: felt | bring: brought | begin: began begun beginning beginnings begins
keep: kept | hold: held holder | write: wrote written writer writers writing | stand: stood | hear: heard
mean: meant | meet: met | run: ran running | pay: paid payment | sit: sat | speak: spoke spoken | lead: led leader
grow: grew grown growth | lose: lost loss losses | fall: fell fallen | send: sent | build: built builder
draw: drew drawn | break: broke broken | spend: spent | rise: rose risen rising | drive: drove driven | buy: bought
wear: wore worn | choose: chose chosen | teach: taught | win: won winner winning winners | sell: sold sales sale
bear: born birth | die: died dies dying death deaths dead | marry: marriage married | fight: fought | catch: caught
sing: sang sung | shoot: shot | strike: struck | sink: sank sunk | fly: flew flown flight | steal: stole stolen
hide: hid hidden | eat: ate eaten | drink: drank drunk | man: men | woman: women | child: children
person: people persons | foot: feet | tooth: teeth | mouse: mice | life: lives | wife: wives | half: halves
popul: population populated inhabitants inhabitant residents resident | publish: publication publications publisher
premier: premiere premiered premieres
act: actor actress actors actresses acting acted acts star stars starred starring appear appears appeared appearing
appearance appearances perform performs performed performing performance performer portray portrays portrayed role roles
film: movie movies films filmed filming | televis: tv | compos: composer composed composition
receiv: receipt receives | descend: descent
employe: employee employees staff workforce employ employs employed employing | series: series | new: news
loc: located location`
  .trim()
  .split(/ \| |\n(?=\w+:)/)
  .map((entry) => {
    const [base = '', ...others] = entry.split(/:?\s+/);
    return { base, others };
  });
