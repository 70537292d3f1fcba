import { german } from './german.ts'
import { APOSTROPHE, DOT_COMMA, type Locale, NONE_COMMA } from './locale.ts'

export const germanyGerman: Locale = {
  id: 'de-DE',
  lexicon: german,
  country: 'Deutschland',
  numberForms: [DOT_COMMA, DOT_COMMA, NONE_COMMA],
  dateForms: ['DD.MM.YYYY', 'DD.MM.YYYY', 'D. MMMM YYYY', 'DD.MM.YY', 'D.M.YYYY', 'DD. MMMM YYYY', 'YYYY-MM-DD'],
  currency: { code: 'EUR', symbol: '€', places: ['after', 'after', 'code-after', 'none', 'before-space'] },
  taxRates: [19, 19, 7],
  vatIds: ['DE#########', 'DE ### ### ###'],
  phones: ['030 5550 ####', '+49 89 5550-###', '0221 / 555 ## ##', '+49 (0)40 555 ####'],
  iban: { code: 'DE', bban: '##################' },
  domain: 'de',
  streets:
    'Hauptstraße {n}|Bahnhofstr. {n}|{last}straße {n}|Am Markt {n}|Industriestraße {n}|Lindenweg {n}|Gewerbepark {n}|Kirchgasse {n}|An der Mühle {n}',
  cities:
    '5066# Köln|8033# München|101## Berlin|2009# Hamburg|7017# Stuttgart|0410# Leipzig|9040# Nürnberg|6031# Frankfurt am Main|4502# Essen|7909# Freiburg im Breisgau',
  houseNumbers: [1, 190],
  extraLines: 'Hinterhaus|Gebäude @|#. OG',
  firms:
    '{word} GmbH|{last} & Söhne KG|{word} Technik GmbH & Co. KG|{last} Maschinenbau AG|{word} Bürobedarf GmbH|Malermeister {last}|{last} Elektro GmbH|{word} Handels GmbH|Ingenieurbüro {last}',
  shops:
    'Bäckerei {last}|{word} Markt|Gasthaus zum {word}|Café {last}|{word} Baumarkt|Apotheke am {word}|REWA {last} oHG',
  banks: 'Sparkasse {word}|Volksbank {word} eG|{word} Bank AG',
}

export const austrianGerman: Locale = {
  ...germanyGerman,
  id: 'de-AT',
  country: 'Österreich',
  currency: { code: 'EUR', symbol: '€', places: ['before-space', 'code-before', 'none', 'after'] },
  taxRates: [20, 10],
  vatIds: ['ATU########'],
  phones: ['+43 1 555 ## ##', '0662 / 555 ###'],
  iban: { code: 'AT', bban: '################' },
  cities: '10#0 Wien|5020 Salzburg|8010 Graz|4020 Linz|6020 Innsbruck',
  domain: 'at',
}

export const swissGerman: Locale = {
  ...germanyGerman,
  id: 'de-CH',
  country: 'Schweiz',
  numberForms: [APOSTROPHE],
  dateForms: ['DD.MM.YYYY', 'D. MMMM YYYY', 'DD.MM.YY'],
  currency: { code: 'CHF', symbol: 'Fr.', places: ['code-before', 'none', 'none', 'before-space', 'code-after'] },
  taxRates: [8.1, 7.7, 2.6],
  vatIds: ['CHE-###.###.### MWST', 'CHE-###.###.###'],
  phones: ['+41 44 555 ## ##', '031 555 ## ##'],
  iban: { code: 'CH', bban: '#################' },
  streets: 'Bahnhofstrasse {n}|Seestrasse {n}|{last}strasse {n}|Dorfplatz {n}|Industriestrasse {n}',
  cities: '8001 Zürich|3011 Bern|4051 Basel|6003 Luzern|9000 St. Gallen|8400 Winterthur',
  firms: '{word} AG|{last} Schreinerei GmbH|{last} & Partner AG|{word} Treuhand AG',
  banks: '{word} Kantonalbank|Raiffeisenbank {word}',
  domain: 'ch',
  cashStepCents: 5,
}
