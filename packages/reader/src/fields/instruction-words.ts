import { fold } from '../layout/text.ts'

/**
 * The vocabulary of instructions that rules can follow, by part of speech, in English, German, French, Spanish,
 * Italian, Dutch and Portuguese. It is an allow-list: an instruction with any other word that is not a field name needs
 * a language model. Words of order, number, comparison, condition and negation are excluded on purpose.
 */
const lists = {
  /** Verbs of taking data out of a document: "extract the invoice". */
  take: `extract|extracts|extracting|extraction|capture|captures|capturing|digitise|digitize|extrahiere|extrahieren|extrahiert|extrahier|auslesen|ausgelesen|erfasse|erfassen
    |extrais|extraire|extrayez|extrait|extrae|extraer|extraiga|extraigan|estrai|estrarre|estragga|extraheer|extraheren|uitlezen|extraia|extrair`,
  /** Verbs of reading: their object may be the page or the image itself. */
  read: `read|reads|reading|ocr|parse|parses|parsing|lies|lese|lesen|liest|lis|lire|lisez|lee|leer|lea|leggi|leggere|legga|lees|lezen|leia|ler`,
  /** Verbs that mean "apply the schema to the document". */
  process: `process|verarbeite|verarbeiten|traite|traiter|traitez|procesa|procesar|procese|elabora|elaborare|verwerk|verwerken|processa|processe`,
  /** Verbs of giving: their object is data, never a document. */
  give: `get|gets|getting|find|finds|finding|return|returns|returning|give|gives|giving|list|lists|listing|output|outputs|collect|collects|pull|retrieve|show|identify|decode|tell me
    |gib|geben|gebe|liste|auflisten|nenne|nennen|zeige|zeigen|finde|finden|hole|holen|entnimm|entnehmen|ermittle|ermitteln
    |donne|donner|donnez|lister|listez|trouve|trouver|trouvez|renvoie|renvoyer|renvoyez|retourne|retourner|retournez|releve|relever|relevez|recupere|recuperer|recuperez|affiche|afficher|montre|montrer|indique|indiquer
    |obten|obtener|obtenga|da|dar|dame|devuelve|devolver|devuelva|lista|listar|encuentra|encontrar|muestra|mostrar|indica|indicar|saca|sacar|recupera|recuperar
    |trova|trovare|dare|elenca|elencare|restituisci|restituire|dammi|dai|mostra|mostrare|ricava|ricavare
    |geef|geven|haal|halen|vind|vinden|toon|tonen|obtenha|obter|devolva|liste|encontre|mostre|retorne|retornar
    |i need|i want|i would like|we need|we want|i am interested in|ich brauche|ich benotige|wir brauchen|j ai besoin de|j ai besoin du|il me faut|je veux|necesito|quiero|necesitamos|ho bisogno di|mi serve|mi servono|voglio|preciso de|quero`,
  /** Phrases that replace a verb of reading with its object. */
  fill: `fill in the schema|fill the schema|fill out the schema|populate the schema|fill in the json|fulle das schema|remplis le schema|rellena el esquema|compila lo schema`,
  /** Verbs that only take the form of the answer: "convert the invoice to JSON". */
  convert: `convert|converting|turn|transform|konvertiere|konvertieren|convertis|convertir|convierte|converti|convertire`,
  /** Verbs that only take a schema of choices. */
  choose: `classify|categorise|categorize|classifying|klassifiziere|klassifizieren|classer|classe|classez|clasifica|clasificar|classifica|classificare|classificeer|classifique|classificar`,
  /** Words that may appear anywhere and request nothing. */
  polite: `please|kindly|thanks|thank you|thank you very much|hello|hi|bitte|danke|vielen dank|hallo|merci|s il vous plait|s il te plait|svp|bonjour
    |por favor|gracias|muchas gracias|hola|per favore|per cortesia|grazie|ciao|alstublieft|alsjeblieft|graag|dank u|bedankt|obrigado|obrigada|ola`,
  /** Openings in front of the verb of a request. */
  opening: `can you|could you|would you|will you|you|you will|you should|you must|you can|your task is to|your job is to|the task is to|your goal is to|task|i want you to
    |i would like you to|i need you to|i want to|i would like to|we want to|we need to|i need to|please help me to|let us
    |kannst du|konntest du|konnen sie|konnten sie|du sollst|du|sie sollen|ich mochte|ihre aufgabe ist es|deine aufgabe ist es
    |peux tu|pourrais tu|pouvez vous|pourriez vous|tu dois|vous devez|veuillez|merci de|je voudrais|ta tache est d|ta tache consiste a|votre tache est d
    |puedes|podrias|puede|podria|debes|tu tarea es|quiero que|quisiera|necesito que|puoi|potresti|puo|potrebbe|devi|il tuo compito e|vorrei|kun je|kunt u|je taak is|pode|poderia|voce deve|sua tarefa e`,
  determiner: `the|a|an|all|every|each|any|this|that|these|those|its|their|his|her|my|our|some|whole|entire|both|of the
    |der|die|das|den|des|dem|ein|eine|einen|einer|eines|einem|alle|allen|aller|alles|jede|jeden|jeder|jedes|diese|diesen|dieser|dieses|diesem|sein|seine|ihre|ihren|unsere|unseren|meine|meinen|samtliche|samtlichen
    |le|la|les|l|un|une|des|tous|toutes|tout|toute|chaque|ce|cet|cette|ces|son|sa|ses|leur|leurs|mon|ma|mes|notre|nos
    |el|los|las|lo|una|unos|unas|todos|todas|todo|toda|cada|este|esta|estos|estas|ese|esa|su|sus|mi|mis|nuestro|nuestra
    |il|i|gli|uno|tutti|tutte|tutto|tutta|ogni|questo|questa|questi|queste|quest|suo|sua|suoi|mio|mia|nostro|nostra
    |de|het|een|elke|ieder|dit|deze|mijn|onze|o|os|as|um|uma|estes|seu|seus|suas|meu|minha|nosso|nossa`,
  /** Determiners that distribute: "the total of each invoice". */
  each: `each|every|jede|jeden|jeder|jedes|jedem|chaque|cada|ogni|elke|ieder`,
  adjective: `printed|shown|stated|visible|given|provided|following|attached|enclosed|scanned|relevant|available|requested|required|defined|described|full|structured|individual|respective|corresponding
    |gedruckte|gedruckten|angegebene|angegebenen|folgende|folgenden|beigefugte|beigefugten|angehangte|angehangten|vorliegende|vorliegenden|ganze|ganzen|gesamte|gesamten|vollstandige|vollstandigen|relevanten|strukturierte|strukturierten|einzelnen
    |suivant|suivante|suivants|suivantes|joint|jointe|joints|jointes|complet|pertinentes|structurees
    |siguiente|siguientes|adjuntos|completos|completas|relevantes|estructurados
    |seguente|seguenti|allegato|allegata|allegati|rilevanti|strutturati|volgende|bijgevoegde|volledige|seguinte|seguintes|anexo|anexa`,
  /** Participles after a noun that say it is printed. */
  stated: `defined|required|requested|described|specified|printed|shown|stated|given|listed|visible|present|found|angegeben|gedruckt|genannt|indique|indiquee|imprime|impreso|indicado|indicada|stampato|indicato|indicata|vermeld`,
  adverb: `exactly|accurately|carefully|precisely|verbatim|genau|sorgfaltig|exactement|soigneusement|exactamente|esattamente|here|there|me|us|mir|uns|moi|nous|nos|mi|ci|out|aus|heraus|auf|uit|op`,
  /** Adjectives for the form of the answer only: "only valid JSON". */
  formAdjective: `only|just|valid|plain|clean|nur|gultiges|reines|seulement|uniquement|valide|solo|solamente|valido|soltanto|alleen|apenas|somente`,
  of: `of|from|von|vom|aus|der|des|dieser|dieses|einer|eines|de|d|du|del|desde
    |di|da|dal|dalla|dai|dallo|dalle|dell|dall|della|dello|dei|degli|delle|van|uit|do|dos|das`,
  /** Prepositions that need an article: "in order" is no place. */
  inside: `in|on|at|within|inside|auf|dans|sur|en|sobre|op|em`,
  for: `for|fur|pour|para|per|voor`,
  with: `with|including|mit|inklusive|avec|con|compresi|met|com`,
  as: `as|as a|as an|into|to|in|according to|als|nach|gemass|zu|im|comme|en|au|selon|como|a|segun|come|secondo|in formato|naar|volgens|conforme|em`,
  /** Prepositions of a place only. */
  placeOf: `im|am|zu|zum|zur|nel|nella|nei|nelle|nell|sul|sulla|sull|su|na|nas|em`,
  /** Prepositions that may name an owner: "a description of the image" is about the image, not printed in it. */
  genitive: `of|von|vom|der|des|dieser|dieses|einer|eines|de|d|du|del|di|dell|della|dello|dei|degli|delle|van|do|dos|das`,
  /** Determiners without a particular thing: "in a letter" says where to write, not where to read. */
  indefinite: `a|an|any|some|ein|eine|einen|einer|eines|einem|un|une|una|uno|unos|unas|een|um|uma`,
  /** Determiners in front of one thing, for nouns whose ending leaves the number open: "des Kunden". */
  singular: `des|dem|den|eines|einem|einen|dieses|diesem|diesen|jedes|jedem|jeden|each|every|chaque|cada|ogni`,
  /** Adjectives that are also verbs: "complete the address". They count only after a determiner. */
  verbalAdjective: `complete|present|single|own|exact|completes|adjunto|adjunta|completo|completa|completi`,
  /** "Provide" takes data, but "provide the vendor with the date" hands something over. */
  provide: `provide|provides`,
  /** Like `fill`, but "fields" are also the boxes of a printed form: only a source may follow. */
  fillFields: `fill in the fields|fill the fields`,
  source: `from|aus|von|vom|depuis|desde|dal|dalla|dai|dallo|dalle|uit`,
  /** Questions for one number. */
  measure: `how much|how high|wie hoch|a combien s eleve|a cuanto asciende|a quanto ammonta`,
  /** The schema of the request. Data goes into it or follows it; "convert to a JSON schema" asks for another one. */
  schemaForm: `json schema|schema|response schema|output schema|answer schema|schemas|json schemas|schema json|esquema|esquema json`,
  following: `according to|gemass|nach|selon|segun|secondo|conforme|volgens`,
  and: `and|as well as|und|sowie|et|ainsi que|y|e|ed|or|oder|ou|o|u|od`,
  or: `or|nor|oder|ou|o|ni`,
  it: `it|them|this|that|these|es|sie|das|dies|ihn|le|la|les|lo|li|cela|ca|esto|eso|ello|questo|het|dit|isto`,
  copula: `is|are|was|ist|sind|est|sont|es|son|e|sono|zijn|sao|stands|steht`,
  modal: `should be|must be|shall be|are to be|sollen|soll|mussen|doivent etre|deben ser|devono essere`,
  question: `what|which|who|when|what s|was ist|was sind|was steht|welche|welcher|welches|welchen|wer|wann|wie lautet|wie lauten|wie heisst
    |quel|quelle|quels|quelles|qui|quand|cual|cuales|quien|cuando|qual|quale|quali|chi|quando|wat|welke|wie|wanneer|quais|quem`,
  /** Everything that a schema requests, or that a document says where there is no schema. */
  data: `data|structured data|following|folgendes|suivant|siguiente|seguente|fact|facts|information|info|details|field|fields|value|values|key value pairs|everything|daten|rechnungsdaten|belegdaten|angaben|informationen|feld|felder|felde|feldern|wert|werte|alles
    |donnees|informations|champ|champs|valeur|valeurs|tout|datos|informacion|campo|campos|valor|valores|dati|informazioni|campi|valore|valori|gegevens|velden|waarden|dados|informacoes`,
  text: `text|texts|full text|raw text|texte|textes|texto|textos|testo|testi|tekst`,
  content: `content|contents|inhalt|inhalte|contenu|contenido|contenuto|inhoud|conteudo`,
  table: `table|tables|tabelle|tabellen|tableau|tableaux|tabla|tablas|tabella|tabelle|tabel|tabela|tabelas`,
  /** Kinds of documents, singular. */
  paper: `document|pdf|invoice|bill|receipt|till receipt|order|purchase order|quote|quotation|statement|bank statement|account statement|credit note|delivery note|packing list|payslip|pay slip|contract|agreement|lease|policy|certificate|ticket|weighing slip|slip|note|cv|resume|id card|passport|menu|catalogue|catalog|price list|schedule|timetable|result list|lab report|lab results|medical report|brochure|article|utility bill|tax form|form|questionnaire|intake form|medical form|letter|report|record|application|registration|spreadsheet|sheet
    |dokument|dokuments|dokumentes|formular|formulars|fragebogen|fragebogens|brief|briefs|beleg|belegs|bericht|berichts|rechnung|quittung|kassenbon|kassenzettel|bon|bestellung|auftrag|angebot|kontoauszug|kontoauszugs|gutschrift|lieferschein|lieferscheins|gehaltsabrechnung|lohnabrechnung|vertrag|vertrags|mietvertrag|mietvertrags|zeugnis|lebenslauf|lebenslaufs|ausweis|preisliste|laborbericht|laborwerte|laborbefund
    |lettre|courrier|formulaire|questionnaire|rapport|facture|recu|ticket de caisse|commande|bon de commande|devis|releve|releve de compte|releve bancaire|avoir|bon de livraison|bulletin de paie|fiche de paie|contrat|bail|certificat
    |documento|carta|formulario|cuestionario|informe|factura|recibo|pedido|orden de compra|presupuesto|extracto|extracto bancario|nota de credito|albaran|nomina|contrato|certificado
    |lettera|modulo|questionario|relazione|fattura|ricevuta|scontrino|ordine|ordine di acquisto|preventivo|estratto conto|nota di credito|bolla|busta paga|contratto|certificato
    |factuur|bonnetje|bestelling|offerte|rekeningafschrift|pakbon|loonstrook|formulier|vragenlijst|fatura|encomenda|extrato|guia de remessa`,
  papers: `documents|pdfs|invoices|bills|receipts|orders|purchase orders|quotes|statements|bank statements|payslips|contracts|agreements|certificates|tickets|letters|reports|records|forms|slips|notes|till receipts|quotations|account statements|credit notes|delivery notes|packing lists|pay slips|weighing slips|id cards|price lists|lab reports|medical reports|utility bills|tax forms
    |lieferscheine|kontoauszuge|gutschriften|gehaltsabrechnungen|lohnabrechnungen|bons de livraison|bons de commande|bulletins de paie|fiches de paie|ordenes de compra|ordini di acquisto
    |dokumente|dokumenten|rechnungen|belege|belegen|quittungen|bestellungen|briefe|formulare|vertrage|factures|recus|contrats|lettres|documentos|facturas|recibos|pedidos|contratos|documenti|fatture|ricevute|scontrini|ordini|contratti|facturen|faturas`,
  /** What carries a document. */
  carrier: `file|input|page|scan|image|picture|photo|screenshot|attachment|message|email|mail|header|bundle|video|film|recording|datei|seite|bild|bildes|foto|anhang|nachricht|fichier|piece jointe|archivo|pagina|imagen|imatge|immagine|bestand|afbeelding|ficheiro|arquivo|imagem`,
  carriers: `files|inputs|pages|scans|images|pictures|photos|attachments|messages|emails|dateien|seiten|bilder|fichiers|pieces jointes|archivos|paginas|imagenes|pagine|immagini|bestanden|paginas|ficheiros`,
  kind: `kind|type|category|class|sort|art|kategorie|typ|categorie|tipo|categoria|soort`,
  /** The answer itself, whose form may be requested. */
  answer: `answer|result|results|response|output|antwort|ergebnis|ergebnisse|reponse|resultat|resultats|respuesta|resultado|resultados|risposta|risultato|risultati`,
  json: `json|json object|valid json|structured json|json format`,
  /** The form of the answer, which schema and engine determine anyway. */
  form: `json|json object|json format|structure|structured format|structured json|format|iso|iso 8601|iso 8601 format|iso format|iso date|iso dates|iso 4217
    |struktur|format json|objet json|formato|formato json|objeto json|oggetto json`,
  /** What a sentence about the form of values may say: "amounts are numbers". */
  valueForm: `number|numbers|decimal|decimals|zahl|zahlen|nombres|numeros|numeri`,
  valueKind: `date|dates|amount|amounts|number|numbers|value|values|price|prices|datum|daten|betrage|zahlen|werte|preise|montants|valeurs|prix|fechas|importes|numeros|valores|importi|numeri|valori|prezzi`,
  /** What a caller may forbid because the engine never does it. */
  forbidden: `guess|invent|make up|make anything up|make things up|fabricate|hallucinate|assume|infer|estimate|translate|convert|compute|calculate|add|change|modify|rewrite|summarise|summarize|explain|comment|paraphrase|interpret
    |raten|rate|erfinden|erfinde|schatzen|schatze|ubersetzen|ubersetze|umrechnen|berechnen|berechne|andern|erklaren|devine|deviner|devinez|invente|inventer|inventez|estime|traduis|traduire|convertis|calcule|modifie
    |adivines|adivinar|inventes|inventar|inventa|traduzcas|traduzca|conviertas|calcules|modifiques|indovinare|inventare|tradurre|convertire|calcolare|modificare|verzinnen|vertalen|adivinhe|traduza`,
  not: `do not|don t|never|nicht|nichts|niemals|ne|n|pas|rien|jamais|no|nunca|nada|non|mai|nulla|niente|niet|niets|nooit|nao`,
  anything: `anything|explanation|explanations|comments|commentary|erklarungen|explications|values|missing values|something|etwas|quoi que ce soit`,
  null: `null|empty|blank|leer|vide|vacio|vuoto|leeg`,
  missing: `missing|absent|unknown|unclear|illegible|fehlt|fehlen|fehlende|manque|manquant|introuvable|falta|faltan|ausente|manca|mancano|assente|ontbreekt`,
  found: `found|present|there|stated|printed|shown|available|exist|exists|gefunden|vorhanden|angegeben|existe|present|trouve|presente|aanwezig`,
  nullWord: `use|return|set|leave|give|put|write|if|when|where|otherwise|does|do|is|are|for|be|wenn|falls|lasse|verwende|setze|gib|si|laisse|utilise|deja|usa|use|se|lascia|indien|sie|es|it|they|to|a|un`,
  role: `assistant|expert|specialist|specialised|specialized|agent|extractor|reader|parser|engine|system|helpful|professional|experienced|invoice|document|data|accounting|business|clerk
    |assistent|experte|spezialist|buchhaltung|assistante|comptable|asistente|experto|contable|assistente|esperto|contabile`,
  youAre: `you are|act as|du bist|sie sind|tu es|vous etes|eres|usted es|sei`,
  who: `who|that|which|der|die|das|qui|que|che|at`,
  /** Demands that the engine meets anyway. */
  assurance: `nothing else|no other text|no additional text|no extra text|no explanation|no explanations|no commentary|no comments|no markdown|json only|nothing more|be precise|be exact|be accurate|be careful|be thorough|then stop|asked before in the same session|check before you answer
    |sonst nichts|nichts weiter|keine erklarung|keine erklarungen|kein weiterer text|rien d autre|sans explication|aucune explication|nada mas|sin explicaciones|nient altro|senza spiegazioni|verder niets|mais nada`,
} as const

/** The part of speech of a word or phrase. */
export type Part = keyof typeof lists

const splitPhrases = (list: string): string[] => list.split('|').map((phrase) => fold(phrase.trim()))

const phrases: ReadonlyMap<Part, ReadonlySet<string>> = new Map(
  Object.entries(lists).map(([part, list]) => [part as Part, new Set(splitPhrases(list))]),
)

/** True when folded words may have a part of speech. */
export const plays = (part: Part, words: string): boolean => phrases.get(part)?.has(words) === true

const ofPromises: readonly Part[] = ['forbidden', 'not', 'null', 'missing', 'nullWord', 'role', 'assurance', 'anything']
const vocabulary = new Set(
  [...phrases].flatMap(([part, all]) => (ofPromises.includes(part) ? [] : [...all].flatMap((one) => one.split(' ')))),
)

/** True when a folded word belongs to the vocabulary of reading requests. */
export const isVocabulary = (one: string): boolean => vocabulary.has(one)
