import { french } from './french.ts'
import { italian } from './italian.ts'
import { APOSTROPHE, DOT_COMMA, type Locale, NONE_COMMA, SPACE_COMMA } from './locale.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

const euroAfter = { code: 'EUR', symbol: '€', places: ['after', 'after', 'none', 'code-after'] } as const

export const franceFrench: Locale = {
  id: 'fr-FR',
  lexicon: french,
  country: 'France',
  numberForms: [SPACE_COMMA, SPACE_COMMA, NONE_COMMA],
  dateForms: ['DD/MM/YYYY', 'DD/MM/YYYY', 'D MMMM YYYY', 'DD/MM/YY', 'DD-MM-YYYY', 'DD.MM.YYYY'],
  currency: euroAfter,
  taxRates: [20, 20, 5.5, 10],
  vatIds: ['FR###########', 'FR ## ### ### ###'],
  phones: ['01 55 50 ## ##', '+33 4 55 50 ## ##', '05.55.50.##.##'],
  iban: { code: 'FR', bban: '#######################' },
  domain: 'fr',
  streets:
    '{n}, rue de la République|{n} avenue Victor Hugo|{n} bis, rue {last}|{n} boulevard Gambetta|{n}, place du Marché|{n} chemin des Vignes|ZA Les Ormes, {n} rue des Métiers',
  cities:
    '75011 Paris|69003 Lyon|33000 Bordeaux|44000 Nantes|31000 Toulouse|67000 Strasbourg|59800 Lille|13006 Marseille|35000 Rennes CEDEX',
  houseNumbers: [1, 180],
  extraLines: 'Bâtiment @|BP ###',
  firms:
    'SARL {last}|{word} SAS|Établissements {last}|{last} & Fils SARL|{word} Conseil SAS|SA {word} Industrie|Menuiserie {last}|{word} Distribution',
  shops: 'Boulangerie {last}|Café de la {word}|SUPER {word}|Brasserie {last}|Pharmacie {last}|Bricolage {word}',
  banks: 'Banque {word}|Caisse {word}|Crédit {word}',
}

export const swissFrench: Locale = {
  ...franceFrench,
  id: 'fr-CH',
  country: 'Suisse',
  numberForms: [APOSTROPHE],
  dateForms: ['DD.MM.YYYY', 'D MMMM YYYY', 'DD.MM.YY'],
  currency: { code: 'CHF', symbol: 'CHF', places: ['code-before', 'none', 'code-after'] },
  taxRates: [8.1, 7.7, 2.6],
  vatIds: ['CHE-###.###.### TVA'],
  phones: ['+41 22 555 ## ##', '021 555 ## ##'],
  iban: { code: 'CH', bban: '#################' },
  cities: '1204 Genève|1003 Lausanne|2000 Neuchâtel|1700 Fribourg|1950 Sion',
  firms: '{word} SA|{last} Sàrl|{last} & Cie SA|Fiduciaire {last} SA',
  domain: 'ch',
  cashStepCents: 5,
}

export const spainSpanish: Locale = {
  id: 'es-ES',
  lexicon: spanish,
  country: 'España',
  numberForms: [DOT_COMMA, DOT_COMMA, NONE_COMMA],
  dateForms: ['DD/MM/YYYY', 'DD/MM/YYYY', 'DD-MM-YYYY', 'D de MMMM de YYYY', 'DD/MM/YY', 'DD.MM.YYYY'],
  currency: euroAfter,
  taxRates: [21, 21, 10, 4],
  vatIds: ['B########', 'A########', 'ESB########'],
  phones: ['91 555 ## ##', '+34 93 555 ####', '955 55 ## ##'],
  iban: { code: 'ES', bban: '####################' },
  domain: 'es',
  streets:
    'Calle Mayor, {n}|C/ {last}, {n}|Avda. de la Constitución, {n}|Plaza España, {n}|Pol. Ind. Las Eras, nave {n}|Paseo Marítimo {n}, 2º B|Gran Vía, {n}',
  cities:
    '28013 Madrid|08021 Barcelona|46002 Valencia|41001 Sevilla|29005 Málaga|50001 Zaragoza|48009 Bilbao (Vizcaya)|18010 Granada',
  houseNumbers: [1, 160],
  firms:
    '{last} Hermanos S.L.|{word} Servicios S.L.|Talleres {last} S.A.|Suministros {word} S.L.U.|Construcciones {last} S.A.|Distribuciones {word} S.L.',
  shops: 'Bar {last}|Supermercado {word}|Ferretería {last}|Cafetería {word}|PANADERIA {last}|Mesón {last}',
  banks: 'Banco {word}|Caja {word}|Banco de {last}',
}

export const italyItalian: Locale = {
  id: 'it-IT',
  lexicon: italian,
  country: 'Italia',
  numberForms: [DOT_COMMA, DOT_COMMA, NONE_COMMA],
  dateForms: ['DD/MM/YYYY', 'DD/MM/YYYY', 'D MMMM YYYY', 'DD.MM.YYYY', 'DD-MM-YYYY', 'DD/MM/YY'],
  currency: { code: 'EUR', symbol: '€', places: ['before-space', 'after', 'none', 'code-before'] },
  taxRates: [22, 22, 10, 4],
  vatIds: ['IT###########', '###########'],
  phones: ['02 555 ####', '+39 06 555 ####', '051/555###'],
  iban: { code: 'IT', bban: '@######################' },
  domain: 'it',
  streets:
    'Via Roma, {n}|Via G. {last} {n}|Corso Italia, {n}|Piazza Garibaldi {n}|Viale dei Mille, {n}|Via dell’Industria, {n}|Largo {last}, {n}/A',
  cities:
    '20121 Milano (MI)|00185 Roma (RM)|10123 Torino (TO)|40126 Bologna (BO)|50122 Firenze FI|37121 Verona (VR)|80133 Napoli (NA)|35122 Padova - PD',
  houseNumbers: [1, 180],
  firms:
    '{word} S.r.l.|F.lli {last} S.n.c.|{last} Impianti S.r.l.|{word} S.p.A.|Studio {last}|{last} & C. S.a.s.|Officine {last} S.p.A.',
  shops: 'Bar {last}|Supermercato {word}|Trattoria da {last}|Ferramenta {last}|Panificio {last}|Pizzeria {word}',
  banks: 'Banca {word}|Cassa di Risparmio {word}|Banca Popolare {word}',
}

export const portugalPortuguese: Locale = {
  id: 'pt-PT',
  lexicon: portuguese,
  country: 'Portugal',
  numberForms: [SPACE_COMMA, DOT_COMMA, NONE_COMMA],
  dateForms: ['DD/MM/YYYY', 'YYYY-MM-DD', 'DD-MM-YYYY', 'D de MMMM de YYYY', 'DD.MM.YYYY'],
  currency: euroAfter,
  taxRates: [23, 23, 13, 6],
  vatIds: ['#########', 'PT#########', '### ### ###'],
  phones: ['21 555 ####', '+351 22 555 ####', '239 555 ###'],
  iban: { code: 'PT', bban: '#####################' },
  domain: 'pt',
  streets:
    'Rua Augusta, {n}|Av. da Liberdade, {n} - 3.º Esq.|Rua {last} {n}|Largo do Carmo, {n}|Travessa da Fonte, {n}|Zona Industrial, Lote {n}',
  cities: '1100-0## Lisboa|4050-1## Porto|3000-2## Coimbra|4700-3## Braga|8000-4## Faro',
  houseNumbers: [1, 220],
  firms:
    '{word}, Lda.|{last} & Filhos, Lda.|{word} - Comércio e Serviços, S.A.|Construções {last}, Lda.|{last} Unipessoal Lda',
  shops: 'Pastelaria {last}|Minimercado {word}|Restaurante {last}|Café Central {word}|Drogaria {last}',
  banks: 'Banco {word}|Caixa {word}|Montepio {word}',
}

export const brazilPortuguese: Locale = {
  ...portugalPortuguese,
  id: 'pt-BR',
  country: 'Brasil',
  numberForms: [DOT_COMMA],
  dateForms: ['DD/MM/YYYY', 'D de MMMM de YYYY', 'DD/MM/YY'],
  currency: { code: 'BRL', symbol: 'R$', places: ['before-space', 'before', 'before-space'] },
  taxRates: [18, 12, 5],
  labels: {
    tax: 'ICMS|ISS|Imposto',
    includedTax: 'Trib. aprox.|ICMS incl.',
    vatId: 'CNPJ',
    taxColumn: 'ICMS %',
    cash: 'Dinheiro|DINHEIRO',
    card: 'Cartão de crédito|Cartão débito',
  },
  vatIds: ['##.###.###/0001-##'],
  phones: ['(11) 5555-####', '(21) 5555-####', '+55 31 5555-####'],
  iban: null,
  domain: 'com.br',
  streets: 'Rua das Flores, {n}|Av. Paulista, {n}|Av. {last}, {n} - sala 12|Rua {last}, {n}',
  cities: 'São Paulo - SP/CEP 01310-###|Belo Horizonte - MG, 30130-###|Curitiba - PR/80020-###|Recife - PE, 50030-###',
  firms: '{word} Ltda.|{last} Comércio Ltda|{word} Serviços S.A.|Indústria {last} S/A',
}
