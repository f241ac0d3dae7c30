import type { LanguageName } from './language-of.js'

type ByLanguage = Readonly<Record<LanguageName, string>>

/** Common function words that English does not have. */
export const FUNCTION_WORDS: ByLanguage = {
  german: `
    der das dem ein eine einen einem einer eines kein keine keinen ich du sie es wir ihr mich mir dich dir ihn ihm ihnen
    uns euch sich mein meine meinen dein deine sein seine seinen ihre ihren unser unsere euer dieser diese dieses diesen
    jede ist sind waren wurde wurden wird werden habe haben habt hatte hatten gewesen kann kannst können konnte muss
    müssen musste soll sollen sollte wollen wollte möchte darf dürfen würde wäre und oder aber sondern denn weil dass wenn
    als ob auch nicht von vom zu zum zur bei beim nach aus auf für über unter vor zwischen durch gegen ohne seit wegen
    während bis im ins wie wer wo wann warum welche welcher welches welchen wen wem womit wofür
  `,
  french: `
    le la les un une des du de au aux ce cet cette ces cela ça ceci je tu il elle nous vous ils elles moi toi lui leur
    leurs eux mon ma mes ta tes sa ses notre nos votre vos se te qui que quoi où quand pourquoi quel quelle quels quelles
    lequel laquelle combien est es suis sont sommes êtes être était étaient étais étions sera serai seront serait soit
    avons avez ont avoir avait avaient avais aura aurait et ou mais donc ni si comme parce puisque lorsque dans sur sous
    avec chez entre vers depuis pendant contre selon jusqu avant après pas ne jamais rien aucun aucune chaque y en qu
    voici voilà aussi très
  `,
  spanish: `
    el la los las un una unos unas lo al del de en y que qué quien quién quienes cual cuál cuáles cómo como cuándo cuando
    dónde donde cuánto por para desde hasta entre hacia según contra durante tras sobre pero porque pues aunque sino si sí
    ni es eran fue fueron ser sido siendo soy eres somos está están estaba estaban estoy estamos estar estuvo será serán
    sería hay había habían haber han hemos hubo habrá haya yo tú él ella ellos ellas usted ustedes nosotros vosotros se
    nos le les mi mis tu tus su sus mío suyo suya nuestro nuestra nuestros este esta esto estos estas ese esa eso esos
    esas aquel aquella aquello
  `,
  italian: `
    il lo la gli le un uno una del dello della dei degli delle al allo alla agli alle dal dallo dalla dai dagli dalle nel
    nello nella nei negli nelle sul sullo sulla sui sugli sulle di da tra fra tu lui lei noi voi loro mi ti si mio mia
    miei mie tuo tua tuoi suo sua suoi nostro nostra nostri vostro vostra questo questa questi queste quello quella quelli
    quelle che chi cui quale quali quando quanto quanti perché cosa è sono sei siamo siete erano ero essere stato stata
    sarà saranno sarebbe ho hai abbiamo avete hanno avere aveva avevano avevo avrà ma anche se né quindi però mentre
    oppure dopo
  `,
  portuguese: `
    à às ao aos da das dos nas nos de em numa uns uma umas que quê quem qual quais como quando onde por porque pelo pela
    pelos pelas para pra sem desde até entre sobre contra durante porém pois embora se nem é são eram foi foram ser sido
    sendo sou somos está estão estava estavam estou estamos estar esteve seja sejam será serão seria há havia houve haver
    eu tu ele ela eles elas você vocês nós lhe lhes meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos
    nossas dele dela deles delas este esta estes estas isto esse essa esses essas isso aquele aquela aquilo neste nesta
    nesse nessa deste desta desse dessa disso não um
  `,
  dutch: `
    het een ik je jij jou jouw jullie hij zij ze wij mij mijn zijn haar hun ons onze uw zich dit dat deze dezelfde elk
    elke ieder iedereen iemand niemand iets niets waren geweest heb hebt heeft hebben hadden gehad wordt worden werd
    werden geworden kan kun kunt kunnen kon konden moet moeten moest moesten mag mogen mocht zal zullen zult zou zouden
    wil wilt willen wilde maar omdat doordat zodat terwijl hoewel toen dus als ook niet geen wel nog toch voor naar uit
    aan op tot bij tegen tussen tijdens zonder onder achter naast sinds volgens vanaf binnen langs wat wie waar wanneer
    waarom welke welk hoeveel waarmee waarvoor waarin waarvan daar daarom hier daarmee
  `,
}

/** Function words that are also English words or parts of names; they do not identify the language. */
export const AMBIGUOUS_WORDS: ByLanguage = {
  german: 'die war was man in an am hat so will um also bin also den des mit hast er',
  french: 'comment on son as me tout pour a ai ton dont eu par sans or',
  spanish: 'me no a he has son sin con once as ha os sea te era',
  italian: 'come dove con non a i in per no ai ci vi io su era sue ed',
  portuguese: 'o com na a as os do no me e num era sob',
  dutch: 'van met door over had want word ben bent dan hen al u was in is we en de te hoe',
}

/** Question words and their English equivalents. */
export const QUESTION_WORDS: ByLanguage = {
  german:
    'wie how; was what; wer who; wo where; wann when; warum why; wieso why; weshalb why; wozu why; welche which; welcher which; ' +
    'welches which; welchen which; welchem which; wem whom; wen whom; wessen whose; wieviel how much; wieviele how many; woher where; ' +
    'wohin where; womit with what; worüber about what; woran on what; wofür for what',
  french:
    'comment how; quoi what; qui who; où where; quand when; pourquoi why; quel which; quelle which; quels which; quelles which; ' +
    'combien how much; lequel which; laquelle which; lesquels which; lesquelles which',
  spanish:
    'cómo how; qué what; quién who; quiénes who; dónde where; adónde where; cuándo when; cuál which; cuáles which; cuánto how much; ' +
    'cuánta how much; cuántos how many; cuántas how many',
  italian:
    'come how; cosa what; chi who; dove where; dov where; quando when; perché why; quale which; quali which; quanto how much; quanta how much; ' +
    'quanti how many; quante how many',
  portuguese:
    'como how; quê what; quem who; onde where; quando when; porquê why; porque why; qual which; quais which; quanto how much; ' +
    'quanta how much; quantos how many; quantas how many',
  dutch:
    'hoe how; wat what; wie who; waar where; wanneer when; waarom why; welk which; welke which; hoeveel how many; waarmee with what; ' +
    'waarvoor for what; wiens whose',
}
