import { fold, STOP_WORDS, words } from '../text.js'

/** The commonest small words of other languages that are written in Latin letters, without those that English has too. */
const FOREIGN: ReadonlySet<string> = new Set(
  (
    'der das und ist nicht ein eine einen einem den dem mit von zu auf für wie wo wann wer welche welcher welches warum wir ich sie ihr ' +
    'unser unsere haben wird werden kann noch auch bei nach über gibt kein keine es ' +
    'le la les un une des du et est sont dans pour avec sur qui que quel quelle quels quelles où quand comment combien pourquoi nous ' +
    'vous notre nos votre leur ce cette ces ne pas aux ' +
    'el los las una unos de del y son en por para qué quién cuál cuándo cuánto cuánta cuántos dónde cómo nuestro nuestra su hay ' +
    'il lo gli di che sono nel della quando dove chi perché ' +
    'um uma em não como qual quem onde ' +
    'het een van op niet wat hoe waar wanneer wie welk onze'
  )
    .split(' ')
    .map(fold),
)
const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/u

/** Whether a question may be read by a model that knows only English: a few words without any grammar may. */
export function readsAsEnglish(text: string): boolean {
  if (OTHER_SCRIPT.test(text)) return false
  const said = words(text)
  const foreign = said.filter((word) => FOREIGN.has(word) && !STOP_WORDS.has(word)).length
  return foreign === 0 || foreign < said.filter((word) => STOP_WORDS.has(word) && !FOREIGN.has(word)).length
}
