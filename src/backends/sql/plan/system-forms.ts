import { SYSTEM_FORMS } from '../../../core/statements/statement.js'

const FORMS = SYSTEM_FORMS.map((form) => `'${form}'`).join(', ')
export const IS_SYSTEM = `form IN (${FORMS})`
export const IS_NOT_SYSTEM = `(form IS NULL OR form NOT IN (${FORMS}))`
