// The English grammar of the demo corpus. Verbs have four forms: 0 infinitive, 1 past, 2 third
// person singular present, 3 -ing. The words cover all phonemes of English, including rare ones
// (measure, beige, choice, poor), and any subject makes sense with any verb.

#include "corpus/demo_sentences.h"

namespace myxtts::corpus {

std::string_view english_demo_grammar() {
  static constexpr std::string_view kSource = R"grammar(
# Who.
person: my brother; my sister; my grandmother; our neighbour; the baker; the young teacher;
  the old fisherman; the doctor; the shy student; her uncle; his cousin; the tailor; the gardener;
  the bus driver; the nurse; the pilot; the judge; the little girl; the quiet boy; an old friend;
  the mayor; the shopkeeper; the carpenter; the youngest child; the tour guide; the captain;
  the farmer; the librarian; the painter; a stranger; the plumber; my aunt; the coach; the chef;
  the beekeeper; the engineer; the tall waiter; the choir leader; the author; the watchmaker
people: the children; my parents; our guests; the two brothers; the workers; the players;
  the older students; most of the tourists; the twins; the musicians; my colleagues; the sailors;
  a few travellers; all the neighbours; the firefighters; the scouts
pronoun: he; she; they; we
anyone: {person}; {person}; {person}; {people}; {pronoun}

# What can be eaten, used, read, seen.
food: a loaf of brown bread; some ripe peaches; a dozen eggs; fresh fish; two jars of honey;
  a bag of oranges; some goat cheese; a box of cherries; a bunch of grapes; half a melon;
  a small chocolate cake; a pound of butter; some dried figs; three lemons; a basket of plums
dish: a bowl of soup; vegetable stew; roast chicken with rice; a mushroom omelette; lentil soup;
  fried potatoes; apple pie; pancakes with syrup; noodles with garlic; a cheese sandwich;
  a plate of beans; pea soup with bacon; a fruit salad; thin slices of smoked trout
thing: the wooden chair; the old bicycle; the broken clock; a brass lamp; the heavy suitcase;
  the yellow tent; a leather jacket; the copper kettle; the little radio; the garden bench;
  the blue umbrella; the sewing machine; the cracked mirror; a pair of boots; the beige curtains;
  a silver coin; the toolbox; the long ladder; a woollen scarf; the treasure chest
text: a short story; the morning paper; the second chapter; a book about whales;
  an essay on music; the whole report; the weather forecast; a poem about the sea;
  the instructions; a history of the railway; the last page; a letter from the bank
sight: the full moon; a pair of swans; the passing ships; a herd of deer; the first snowflakes;
  a hot-air balloon; the boats in the harbour; a young fox; three grey geese; the northern lights;
  the new lighthouse; a rainbow over the valley; the fireworks; a huge white cloud
tune: the violin; the piano; the flute; an old folk song on the guitar; a cheerful march;
  the same tune again and again

# What people do. Anything in {vp} can be done {place}; {vp_go} brings its own.
vp: {vp_food}; {vp_thing}; {vp_thing}; {vp_text}; {vp_sight}; {vp_other}
vp_food: [buy|bought|buys|buying] {food}; [share|shared|shares|sharing] {food};
  [weigh|weighed|weighs|weighing] {food}; [prepare|prepared|prepares|preparing] {dish};
  [eat|ate|eats|eating] {dish}; [order|ordered|orders|ordering] {dish};
  [enjoy|enjoyed|enjoys|enjoying] {dish}
vp_thing: [clean|cleaned|cleans|cleaning] {thing}; [repair|repaired|repairs|repairing] {thing};
  [borrow|borrowed|borrows|borrowing] {thing}; [sell|sold|sells|selling] {thing};
  [bring back|brought back|brings back|bringing back] {thing}; [hide|hid|hides|hiding] {thing};
  [carry|carried|carries|carrying] {thing}; [measure|measured|measures|measuring] {thing};
  [describe|described|describes|describing] {thing}; [choose|chose|chooses|choosing] {thing};
  [leave|left|leaves|leaving] {thing}
vp_text: [read|read|reads|reading] {text}; [finish|finished|finishes|finishing] {text};
  [translate|translated|translates|translating] {text}; [copy|copied|copies|copying] {text};
  [discuss|discussed|discusses|discussing] {text}
vp_sight: [watch|watched|watches|watching] {sight}; [draw|drew|draws|drawing] {sight};
  [photograph|photographed|photographs|photographing] {sight};
  [admire|admired|admires|admiring] {sight}; [point at|pointed at|points at|pointing at] {sight}
vp_other: [play|played|plays|playing] {tune}; [practise|practised|practises|practising] {tune};
  [teach|taught|teaches|teaching] a small class; [tell|told|tells|telling] a funny joke;
  [learn|learned|learns|learning] a new dance; [play|played|plays|playing] chess;
  [argue|argued|argues|arguing] about the price; [light|lit|lights|lighting] a small fire;
  [count|counted|counts|counting] the coins; [make|made|makes|making] a strange noise;
  [ask|asked|asks|asking] for advice; [think|thought|thinks|thinking] about the future
vp_go: [walk|walked|walks|walking] {path}; [drive|drove|drives|driving] {path};
  [cycle|cycled|cycles|cycling] {path}; [run|ran|runs|running] {path};
  [travel|travelled|travels|travelling] {path}; [hurry|hurried|hurries|hurrying] {path};
  [stroll|strolled|strolls|strolling] {path}; [fly|flew|flies|flying] to {city};
  [take|took|takes|taking] the train to {city}
vp_alone: [laugh|laughed|laughs|laughing]; [wait|waited|waits|waiting];
  [sleep|slept|sleeps|sleeping]; [sing|sang|sings|singing]; [smile|smiled|smiles|smiling];
  [rest|rested|rests|resting]; [hesitate|hesitated|hesitates|hesitating];
  [yawn|yawned|yawns|yawning]; [whisper|whispered|whispers|whispering];
  [sneeze|sneezed|sneezes|sneezing]; [listen|listened|listens|listening];
  [dance|danced|dances|dancing]; [cough|coughed|coughs|coughing];
  [nod|nodded|nods|nodding]; [shout|shouted|shouts|shouting]; [work|worked|works|working];
  [read|read|reads|reading]; [cook|cooked|cooks|cooking]; [paint|painted|paints|painting];
  [swim|swam|swims|swimming]; [hum|hummed|hums|humming]; [cheer|cheered|cheers|cheering]
vp_any: {vp}; {vp}; {vp}; {vp_go}; {vp_alone}
path: along the beach; across the bridge; through the forest; around the lake; up the hill;
  to the station; towards the village; past the church; down the narrow street; into town;
  over the mountain pass; to the market; through the snow; to the edge of the cliff
city: London; Paris; Oslo; Cairo; Lisbon; Tokyo; Boston; Vienna; Chicago; Geneva; Madrid; Shiraz;
  Istanbul; Dublin; Warsaw; Sydney

# Where, how, when, why.
place: in the garden; by the window; near the old bridge; behind the school; on the balcony;
  at the edge of the forest; under the big oak tree; at the station; by the river;
  in the back room; on the third floor; outside the museum; beside the fountain;
  in a quiet corner of the library; at the farm; in the village hall; next to the bakery;
  in front of the theatre; between two parked cars; in the shade of the tower
how: with a friend; with great care; without a word; in silence; all alone; with pleasure;
  as usual; without any help; with a smile; in a hurry; for fun; against all advice
manner: quietly; slowly; carefully; cheerfully; patiently; calmly; politely; happily
adverb: {manner}; {manner}; again; outside; for hours; at last; once more
weekday: Monday; Tuesday; Wednesday; Thursday; Friday; Saturday; Sunday
month: January; February; March; April; May; June; July; August; September; October; November;
  December
ordinal: first; second; third; fourth; fifth; sixth; ninth; twelfth; fifteenth; twentieth
clock: half past six; a quarter to nine; ten o'clock; noon; twenty past four; five to eight;
  7:30; 9:15; 11:45
year: 1912; 1945; 1969; 1987; 2003; 2019
number: two; three; four; five; six; seven; eight; nine; eleven; twelve; fourteen; fifteen;
  eighteen; twenty; twenty-three; thirty; thirty-six; forty; fifty-two; sixty; seventy-five; ninety
digits: 12; 18; 24; 36; 47; 53; 60; 85; 110; 240; 365; 500
when_past: yesterday; last night; last {weekday}; this morning; two weeks ago; last summer;
  late in the evening; just before midnight; for almost an hour; at {clock};
  on the {ordinal} of {month}; in {year}; before breakfast; after dinner; {number} days ago
when_next: tomorrow; next week; tonight; in {month}; on {weekday}; before the holidays; at {clock};
  after the meeting; next year
when_always: every {weekday}; twice a week; most evenings; before breakfast; on rainy days;
  from time to time; in the winter; once a month
front_past: yesterday afternoon; last winter; a few days ago; early one morning; on the way home;
  in the middle of the night; after the storm; during the long holiday; at the end of the month;
  at exactly {clock}; in {month} {year}; to our surprise; for the first time; that evening;
  shortly after sunrise; on a {weekday} in {month}
clause: the rain would not stop; it was getting dark; the road was steep; the train was late;
  the shop was about to close; the music was too loud; everyone had gone home; the house was empty;
  nobody was watching; the weather had changed; nobody had a map; the tide was coming in;
  the choice was difficult; the coffee was still hot; there was plenty of time; it was only noon
event: the bell rang; the power failed; the train arrived; the lights went out; a dog barked;
  the telephone rang; the visitors left; the music stopped; somebody knocked; the curtain rose
because: because {clause}; although {clause}; since {clause}; even though {clause}; when {event};
  before {event}; as soon as {event}; just after {event}
weather: the rain fell softly; the wind howled; thick fog covered the harbour;
  the sun set behind the hills; thunder rolled across the valley; the snow began to melt;
  the river rose quickly; a cold breeze came from the north; the leaves turned yellow;
  dark clouds gathered over the sea; the stars came out one by one; the ice cracked;
  a soft light filled the room; the air smelled of pine; the moon rose above the roofs

# What things are like.
noun: the soup; the water; the music; the road; the film; the answer; the house; the garden;
  the story; the ticket; the journey; the coat; the idea; the bread; the bridge; the exam;
  the engine; the voice; the vase; the picture; the kitchen; the team; the juice; the choice
adjective: strange; simple; perfect; awful; beautiful; unusual; terrible; wonderful; lovely;
  different; famous; ordinary; excellent; poor; special; dreadful; good; great; nice; odd; fine
day_adjective: strange; perfect; beautiful; terrible; wonderful; lovely; great; fine; good
comparative: better; cheaper; older; stranger; nicer; more useful; more beautiful; far worse;
  much simpler; a little darker; less expensive; more interesting
compared: better; far worse; even stranger; much nicer; more interesting; quite different
object: chair; book; bridge; ticket; coat; clock; room; vase; garage; river; church; watch; joke
plural: chairs; books; bottles; windows; horses; letters; boats; pictures; bridges; spoons; watches;
  tourists; mice; sheep; boxes; roses; stamps; candles; keys; toys
fact: water boils at one hundred degrees; the sun rises in the east; bees make honey;
  iron is heavier than wood; a week has seven days; light travels faster than sound;
  most birds can fly; bread is made from flour; the moon moves around the earth;
  ice floats on water; an octopus has eight arms; whales breathe air; trees need light and water

# Orders and exclamations.
order: wait; stop; sit; listen; look; walk; read; write; sing; dance; breathe; think; speak; drive;
  eat; smile; swim; climb; knock; count; pull; push; work; start; leave; answer; jump; play
order_adverb: here; slowly; carefully; again; quietly; now; first; together; outside; later; twice;
  with me; as well; after me; over there; by yourself; one more time; before they do
cry: good morning; good night; not yet; why not; who knows; thank you; well done; never mind;
  of course; excuse me; come in; what luck; no problem; how strange; very well; too late;
  no thanks; just once; quite right; see you tomorrow; nice to meet you; have a good journey;
  mind the step; help yourself; take your time; what a pleasure; of course not; long time no see;
  you are welcome; sleep well; enjoy your meal; it was nothing; let me see; that makes sense

# Sentences.
short: {order} {order_adverb}.; {order} {order_adverb}.; {order} {order_adverb}!; {cry}.; {cry}!;
  {pronoun} {vp_alone/1}.; {people} {vp_alone/1}.; {person} {vp_alone/1}.;
  {person} {vp_alone/1} {adverb}.; please {order} {order_adverb}.; don't {order} {order_adverb}.;
  {noun} is {adjective}.; {noun} was {adjective}!; is {noun} {adjective}?; how {adjective}!;
  {number} {plural}.; {number} {plural}, please.; only {number} {plural}?; {digits} {plural}.;
  who {vp_alone/1}?; who is {vp_alone/3}?; did {pronoun} {vp_alone/0}?; it was {adjective}.;
  what {day_adjective} {plural}!; that sounds {adjective}.; {weather}.; where is {person}?;
  {pronoun} {vp_go/1}.; see you on {weekday}.; it is {clock}.; let us {order} {order_adverb}.;
  can you {vp_alone/0}?; {manner}, {pronoun} {vp_alone/1}.; I {vp_alone/1} {adverb}.;
  {person} never {vp_alone/2}.; {city} is {adjective}.; was {noun} {adjective} or {adjective}?
question: did {anyone} {vp_any/0}?; did {anyone} {vp/0} {place}?; who {vp/1} {when_past}?;
  did {person} really {vp/0} {when_past}?; why did {anyone} {vp_any/0} {when_past}?;
  will {anyone} {vp_any/0} {when_next}?; could you {vp/0} {place}?; does {person} ever {vp/0}?;
  have you ever tried to {vp/0} {place}?; is {person} still {vp/3} {place}?;
  would you like to {vp_any/0} {when_next}?; when will {people} {vp_any/0} {how}?;
  how much is {food}?; what is so {adjective} about {city}?;
  which is {comparative}, {city} or {city}?
medium: {question}; {question}; {anyone} {vp/1}.; {anyone} {vp/1} {place}.;
  {anyone} {vp_go/1} {how}.; {anyone} {vp/1} {place} {when_past}.; {anyone} {vp_go/1} {when_past}.;
  {person} {vp_alone/1} {place}.; {person} was {vp/3} {place}.; {people} were {vp/3} {when_past}.;
  {person} wants to {vp_any/0}.; {person} usually {vp_any/2} {when_always}.;
  {people} like to {vp_any/0} {when_always}.; {person} {vp_any/2} {when_always}.;
  {front_past}, {anyone} {vp_any/1}.; {front_past}, {weather}.; {weather}, and {anyone} {vp_any/1}.;
  please {vp/0} {when_next}.; please don't {vp/0} {place}.;
  this {object} is {comparative} than that one.; {fact}.; {fact}, I think.;
  there are {number} {plural} {place}.; the train to {city} leaves at {clock}.;
  I paid {digits} dollars for {thing}.; page {digits} is missing, isn't it?;
  {anyone} {vp/1} and {vp/1}.; I would rather {vp_any/0} than {vp_any/0}.;
  {person} will {vp_any/0} {when_next}.; nobody knows why {anyone} {vp/1}.;
  what a {day_adjective} day to {vp_any/0}!; I was born in {city} in {year}.;
  {noun} was {adjective}, but {noun} was {compared}.
story: {person} {vp/1} {place}; {people} {vp/1} {place}; {person} {vp_go/1} {how};
  {people} {vp_go/1}; {person} {vp_alone/1} {place}; {person} {vp/1} and {vp/1} {place}
dated: {story}; {person} {vp/1} {when_past}; {people} {vp_go/1} {when_past}
background: {people} were {vp/3} {place}; {person} was {vp/3} {place}; {people} {vp_go/1};
  {person} {vp_any/1}; {weather}; {people} {vp_alone/1} {place}
long: {front_past}, {story} {because}.; {front_past}, {story}, and {background}.;
  {dated}, while {background}.; {dated}, but {background} {because}.;
  {front_past}, {story}, while {background}.; {weather}, so {story}, and {background}.;
  {front_past}, when {event}, {story}, and {background}.; {dated} {because}, and {background}.;
  {person} said that {background}, although {clause}.; as far as I remember, {dated} {because}.;
  {person} promised to {vp/0} {place}, but {person} had to {vp/0} {because}.;
  do you know why {dated}, and why {background}?; did you hear that {dated}, while {background}?;
  if you {vp/0} {when_next}, {person} will {vp/0} {place}, and {people} can {vp_any/0}.;
  {fact}, {fact}, and {background} {because}.;
  it is {number} kilometres to {city}, and {noun} is {adjective}.;
  there were {number} {plural} {place}, {number} {plural} {place}, and {background}.
)grammar";
  return kSource;
}

}  // namespace myxtts::corpus
