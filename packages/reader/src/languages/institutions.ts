import { fold } from '../layout/text.ts'

/** Words of the names of institutions and firms, in seven languages. */
const words = new Set(
  `inc llc ltd limited corp corporation company co plc gmbh ag kg ohg ev sa sas sarl srl spa bv nv lp llp pty lda ltda group holding partners
   associates council school college university academy hospital clinic center centre office ministry department authority agency bank
   insurance club association society foundation church museum hotel restaurant theatre theater shop store garage pharmacy court services
   service solutions systems logistics transport trading industries international municipality institute laboratory trust
   klinik praxis zentrum apotheke verein stiftung stadt stadtwerke gemeinde landkreis amt gericht bank versicherung genossenschaft schule
   gymnasium hochschule institut ministerium behorde kanzlei werkstatt
   ecole lycee universite hopital clinique cabinet societe entreprise agence banque assurance assurances mutuelle mairie commune prefecture
   tribunal ministere etude pharmacie fondation
   escuela colegio universidad hospital clinica empresa banco seguros ayuntamiento juzgado ministerio instituto fundacion farmacia gestoria
   scuola istituto liceo universita ospedale studio societa banca assicurazioni comune tribunale ministero farmacia fondazione
   school universiteit ziekenhuis praktijk stichting gemeente rechtbank maatschappij vereniging apotheek
   escola universidade hospital empresa camara tribunal ministerio associacao fundacao conservatoria`.split(/\s+/),
)

/** How compounds that name one end. */
const endings =
  /\p{L}{3}(?:schule|gymnasium|klinik|krankenhaus|versicherung|gericht|verein|werke|amt|gesellschaft|verband|kasse|betrieb|maatschappij)$/u

/** Whether a text has a word of the names of institutions and firms. */
export const namesInstitution = (text: string): boolean =>
  fold(text)
    .split(/[^\p{L}]+/u)
    .some((word) => words.has(word) || endings.test(word))
