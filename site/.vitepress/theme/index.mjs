// The default theme without its web font: a page asks no other host for anything.
import Theme from 'vitepress/theme-without-fonts'
import './site.css'

export default Theme
