//! Common words of languages that share the Latin script, for texts too short for the few commonest ones: articles,
//! pronouns, prepositions, conjunctions, forms of to be and to have, and some words of every day. A word may stand in
//! several lists; it counts for each of its languages.

/// A language, and words of it in lower case.
type Words = (&'static str, &'static str);

/// The lists.
const COMMON: &[Words] = &[
    (
        "en",
        "a about after again all also am an and any are as at back be because been before being but by can come could \
         day did do does down each even every few first for from get give go good had has have he her here him his how \
         i if in into is it its just know last like long look made make many may me more most much must my new no not \
         now of off old on one only or other our out over people put said same say see she should so some such take \
         than that the their them then there these they this those through time to too two under until up us use very \
         want was we well went were what when where which while who why will with work would year years you your \
         learn read welcome home contact today free time way little never always another without between against",
    ),
    (
        "de",
        "aber alle als also am an auch auf aus bei beim bin bis bist da damit dann das dass dem den denn der des dich die \
         dies diese dieser dieses dir doch du durch ein eine einem einen einer eines er es etwas euch für gegen hat \
         haben hatte hier ich ihm ihn ihnen ihr ihre im immer in ins ist jede jeder jetzt kann kein keine können man \
         mehr mein meine mich mir mit muss nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine sich sie \
         sind so soll über um und uns unser unter viel vom von vor war was weil wenn wer werden wie wieder will wir wird \
         wo wurde zu zum zur zwei zwischen heute mehr jahre neue guten tag",
    ),
    (
        "fr",
        "à ai ainsi alors après au aucun aussi autre aux avait avant avec avez avoir beaucoup bien ce cela ces cet cette \
         chaque chez comme dans de depuis des deux dit donc dont du elle elles en encore entre est et été être eu faire \
         fait il ils je jour la le les leur leurs lui mais me même mes moi moins mon ne non nos notre nous on ont ou où \
         par parce pas pendant peu peut plus pour pourquoi qu quand que quel quelle qui quoi sa sans se sera ses si son \
         sont sous sur ta te tes toi ton tous tout toute toutes très tu un une vers vie voir vos votre vous y année \
         aujourd bonjour entreprise",
    ),
    (
        "es",
        "a al algo ante antes año años aquí así aunque bajo bien cada casa como con cuando de del desde después día donde dos \
         el ella ellos en entre era es esa ese eso esta está están este esto estos fue gran ha hace hacia han hasta hay \
         la las le les lo los más me mi mientras mis mucho muy nada ni no nos nosotros nuestra nuestro o otra otro para \
         pero poco por porque puede que qué quien se sea ser si sí siempre sin sobre son su sus también tan te tiene \
         tienen toda todo todos trabajo tu un una uno unos usted ya yo vida hoy hola gracias",
    ),
    (
        "it",
        "a ad ai al alla alle anche ancora anni anno aveva avere bene c che chi ci come con cosa così da dal dalla degli dei \
         del della delle di dopo dove due e è ed era essere fa fare fino già giorno gli ha hanno ho i il in io la le lei \
         lo loro lui ma mai me mi mia mio molto ne nei nel nella noi non nostra nostro o ogni oggi per perché però più \
         poco poi prima può qual quale quando quanto quella quello questa questo qui se sempre senza si sia solo sono \
         sta stata stato su sua sul sulla suo te ti tra tu tua tuo tutta tutti tutto un una uno vi voi vita ciao",
    ),
    (
        "pt",
        "a à ainda além ano anos antes ao aos apenas as às até bem boa bom cada casa com como da das de dela dele depois dia do \
         dos e é ela elas ele eles em então entre era essa esse esta está estão este eu foi fazer há isso isto já lhe \
         mais mas me mesmo meu minha muito na não nas nem no nos nós nossa nosso num numa o onde os ou para pela pelo \
         pode por porque qual quando que quem se sem sempre ser seu seus só sobre sua suas também tem têm ter todo todos \
         tudo um uma vai você vocês vida hoje obrigado olá",
    ),
    (
        "nl",
        "aan al alle als altijd ander bij ben bent daar dan dat de deze die dit doen door dus een eens en er ge geen geld \
         goed haar had heb hebben heeft hem het hier hij hoe hun iets ik in is ja je jij jullie kan kunnen maar meer men \
         met mij mijn moet na naar net niet niets nog nu of om omdat onder ons ook op over te tegen tijd toch toen tot u \
         uit uw van veel voor want waren was wat we weer wel werd wie wij wil worden zal ze zeer zich zij zijn zo zonder \
         zou vandaag welkom jaar onze",
    ),
    (
        "sv",
        "alla allt att av bara blev bli blir både de dem den denna deras dess det detta dig din där då efter ej eller en \
         ett från för genom ha hade han har hela hennes hon honom hur här i icke in inga ingen inom inte ja jag kan kom \
         kommer man med mellan men mer mig min mycket många måste ni nu någon något några när och om oss på samma sedan \
         sig sin ska skulle som så till under upp ut utan vad var vara varje vi vid vilken är över år välkommen",
    ),
    (
        "da",
        "af alle alt at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter eller en end er \
         et for fra før gennem ham han hans har have havde hende her hos hun hvad hver hvis hvor i ikke ind ingen jeg \
         kan kom kun man mange med meget mellem men mig min mod måske ned nogen noget nogle nu når og også om op os over \
         på selv sig sin skal skulle som så til ud uden under var ved vi vil ville vor år være været velkommen",
    ),
    (
        "no",
        "alle alt at av bare ble bli blir da de dem den denne der deres det dette deg din disse du eller en enn er et etter \
         for fra før gjennom ha ham han hans har hadde hennes her hos hun hva hver hvis hvor i ikke inn ingen jeg kan \
         kom kun man mange med meg meget mellom men min mot må ned noe noen nå når og også om opp oss over på selv seg \
         sin skal skulle slik som så til under ut uten var ved vi vil ville vår være vært år velkommen",
    ),
    (
        "pl",
        "a ale bardzo bez był była było być by ci co coś czy dla do dzień gdy gdzie go i ich ile im inne ja jak jako je jego \
         jej jest jestem jeszcze już każdy kiedy kto która które który którzy lub ma mają mi może my na nad nam nas nie \
         nich niż o od on ona oni oraz po pod przed przez przy są się swoje ta tak także tam te tego tej ten to tu twój \
         tych tylko tym w we więc wszystko z za ze że życie roku dziś",
    ),
    (
        "fi",
        "ei eikä en että hän he ilman ja jo jos joka jonka jota kaikki kanssa kuin kun kuten me mikä mitä mukaan mutta myös \
         niin nyt oli olla olen on ovat se sen siellä sitä sinä tai tämä tämän vain voi vuonna vuoden hyvä päivä",
    ),
    (
        "tr",
        "ama ancak bana ben bir biz bu bunu çok çünkü da daha de değil en gibi göre hem her için ile ise kadar ki mi ne olan \
         olarak oldu olduğu onu sen siz sonra şey şu var ve veya ya yok yeni",
    ),
];

/// How many different words of a text are words of each language, the most first, and how many different words there are.
pub(super) fn counted(text: &str) -> (Vec<(&'static str, usize)>, usize) {
    let mut words: Vec<String> = text
        .split(|ch: char| !ch.is_alphabetic())
        .filter(|word| !word.is_empty())
        .take(600)
        .map(str::to_lowercase)
        .collect();
    words.sort_unstable();
    words.dedup();
    let mut hits: Vec<(&'static str, usize)> = COMMON
        .iter()
        .map(|(language, list)| {
            let known: std::collections::BTreeSet<&str> = list.split_ascii_whitespace().collect();
            (*language, words.iter().filter(|word| known.contains(word.as_str())).count())
        })
        .collect();
    hits.sort_by_key(|(_, hits)| std::cmp::Reverse(*hits));
    (hits, words.len())
}

/// Whether there is a list for a language.
pub(super) fn knows(language: &str) -> bool {
    COMMON.iter().any(|(known, _)| *known == language)
}
