/**
 * The words that an instruction may be made of when rules are to carry it out, in English, German, French, Spanish, Italian,
 * Dutch and Portuguese, folded (lower case, no accents). It is a list of what is allowed: a word that is missing here, and that
 * the request's schema does not name, makes the instruction one for a language model. Before you add a word, think of every
 * instruction that it makes acceptable. Words of order, number, choice, comparison and negation are left out on purpose.
 */

const phrases = (text: string): readonly string[] =>
  text
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter(Boolean)

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** What to do: nothing but taking out what stands there. */
export const readingVerbs = words(`
  extract extracts extracting extraction read reads reading get gets getting find finds finding return returns returning give gives
  giving list lists listing output outputs provide provides capture captures collect collects pull parse parses parsing retrieve show
  identify ocr digitise digitize decode
  extrahiere extrahieren extrahiert extrahier lies lesen liest auslesen ausgelesen lese gib geben gebe liste auflisten nenne nennen zeige zeigen
  finde finden hole holen erfasse erfassen entnimm entnehmen ermittle ermitteln
  extrais extraire extrayez extrait lis lire lisez donne donner donnez liste lister listez trouve trouver trouvez renvoie renvoyer renvoyez
  retourne retourner retournez releve relever relevez recupere recuperer recuperez affiche afficher montre montrer indique indiquer
  extrae extraer extraiga extraigan lee leer lea obten obtener obtenga da dar dame devuelve devolver devuelva lista listar encuentra encontrar
  muestra mostrar indica indicar saca sacar recupera recuperar
  estrai estrarre estragga leggi leggere legga trova trovare elenca elencare restituisci restituire dammi dai mostra mostrare
  ricava ricavare indica recupera
  lees lezen geef geven haal halen vind vinden toon tonen extraheer extraheren uitlezen
  extraia extrair leia ler obtenha obter devolva liste encontre encontrar mostre mostrar retorne retornar
`)

/** Phrases that stand for a verb of reading with its object. */
export const fillingPhrases = phrases(`
  tell me|fill in the schema|fill the schema|fill out the schema|populate the schema|fill in the fields|fill the fields|fill in the json|fulle das schema|remplis le schema|rellena el esquema|compila lo schema
`)

/** Verbs that are at home with the form of the answer alone: "convert the invoice to JSON". */
export const formingVerbs = words(
  'convert converting turn transform konvertiere konvertieren convertis convertir convierte converti convertire',
)

/** Verbs that are at home with a schema alone, which says what to choose among. */
export const choosingVerbs = words(`
  classify categorise categorize classifying klassifiziere klassifizieren classer classe classez clasifica clasificar classifica
  classificare classificeer classifique classificar
`)

export const politeWords = phrases(`
  please|kindly|thanks|thank you|thank you very much|hello|hi|bitte|danke|vielen dank|hallo|merci|s il vous plait|s il te plait|svp|bonjour
  |por favor|gracias|muchas gracias|hola|per favore|per cortesia|grazie|ciao|alstublieft|alsjeblieft|graag|dank u|bedankt|obrigado|obrigada|ola
`)

/** Openings that put a request politely, up to its verb. */
export const openings = phrases(`
  can you|could you|would you|will you|you|you will|you should|you must|you can|your task is to|your job is to|the task is to|your goal is to|task|i want you to
  |i would like you to|i need you to|i want to|i would like to|we want to|we need to|i need to|please help me to|let us
  |kannst du|konntest du|konnen sie|konnten sie|du sollst|du|sie sollen|ich mochte|ihre aufgabe ist es|deine aufgabe ist es
  |peux tu|pourrais tu|pouvez vous|pourriez vous|tu dois|vous devez|veuillez|merci de|je voudrais|ta tache est d|ta tache consiste a|votre tache est d
  |puedes|podrias|puede|podria|debes|tu tarea es|quiero que|quisiera|necesito que
  |puoi|potresti|puo|potrebbe|devi|il tuo compito e|vorrei|kun je|kunt u|je taak is|pode|poderia|voce deve|sua tarefa e
`)

/** Openings that stand for the verb itself. */
export const wishes = phrases(`
  i need|i want|i would like|we need|we want|i am interested in|ich brauche|ich benotige|wir brauchen|ich will|j ai besoin de|il me faut|je veux
  |necesito|quiero|necesitamos|ho bisogno di|mi serve|mi servono|voglio|ik wil|ik heb|preciso de|quero
`)

export const determiners = words(`
  the a an all every each any this that these those its their his her my our some whole entire both following attached given enclosed present
  der die das den des ein eine einen einer eines alle allen aller alles jede jeden jeder jedes diese diesen dieser dieses
  sein seine ihre ihren unsere unseren meine meinen samtliche samtlichen folgende folgenden beigefugte beigefugten angehangte angehangten vorliegende vorliegenden ganze ganzen gesamte gesamten
  le la les l un une des tous toutes tout toute chaque ce cet cette ces son sa ses leur leurs mon ma mes notre nos suivant suivante suivants suivantes
  el los las lo una unos unas todos todas todo toda cada este esta estos estas ese esa su sus mi mis nuestro nuestra siguiente siguientes adjunto adjunta adjuntos
  il i gli uno tutti tutte tutto tutta ogni questo questa questi queste quest suo sua suoi mio mia nostro nostra seguente seguenti allegato allegata allegati
  de het een elke ieder ieder dit deze mijn onze bijgevoegde volgende
  o os as um uma uns umas todo todos toda todas este esta estes estas seu sua seus suas meu minha nosso nossa seguinte seguintes anexo anexa
`)

/** German articles of the dative: behind a preposition they are like others, alone they name whom something is given to. */
export const datives = words('dem einem jedem diesem')

/** German articles that also mark the genitive, as `of the` does. */
export const genitives = words('der des dieser dieses eines einer')

export const qualifiers = words(`
  printed shown stated visible complete full exact exactly precise precisely accurate accurately careful carefully relevant available requested
  required provided defined described scanned key structured plain raw individual respective corresponding only just also out off up down back me us here there attached verbatim own single
  gedruckte gedruckten angegebene angegebenen vollstandig vollstandige vollstandigen genau genaue genauen relevante relevanten sorgfaltig strukturiert strukturierte strukturierten einzelne einzelnen nur auch mir uns aus auf heraus
  imprime imprimes complet complete completes exact exacte exactement pertinentes structure structurees seulement uniquement aussi moi nous joint jointe joints jointes
  impreso completo completa completos completas exacto exactamente relevantes estructurados estructurada solo solamente tambien me nos
  stampato completo completa completi esatto esattamente rilevanti strutturati strutturata solo soltanto anche mi ci
  alle volledige volledig alleen ook uit op
  completos apenas somente tambem
`)

export const prepositions = words(`
  of from in on at for with within inside s about
  von vom aus im in ins auf am an fur mit zu zum zur uber
  de d du des dans sur pour avec au aux
  del desde en sobre para con al
  di da dal dalla dai dallo dalle dell dall della dello dei degli delle nel nella nei nelle nell sul sulla sull su all alla
  van uit op voor met bij
  do da dos das no na nos nas em para com ao pelo
`)

/** Prepositions before the form of the answer. */
export const formPrepositions = words(
  'as into to according als nach gemass zu comme en selon como segun en come secondo in volgens naar conforme',
)

export const conjunctions = phrases('and|or|as well as|und|oder|sowie|et|ou|ainsi que|y|e|o|ed|od|en|of|tambem')

export const pronouns = words(
  'it them this that these es sie das dies ihn le la les lo cela ca esto eso ello ci cio het dit isto',
)

export const copulas = words(`
  is are be was were ist sind sein est sont es son e sono is zijn e sao stands stand comes come stehen steht has hat tiene
`)

/** Copulas of what shall be: "dates should be ISO 8601". They open no question that a document answers. */
export const modals = words('should must soll sollen doit doivent debe deben deve devono moet')

export const questions = phrases(`
  what|which|who|when|where|how much|how high|how long|what s|was|welche|welcher|welches|welchen|wer|wann|wo|wie hoch|wie lange|wie lautet|wie viel|wieviel|wie heisst
  |quel|quelle|quels|quelles|qui|quand|combien|a combien s eleve|que|cual|cuales|quien|cuando|donde|cuanto|a cuanto asciende
  |qual|quale|quali|chi|quando|dove|quanto|a quanto ammonta|wat|welke|wie|wanneer|hoeveel|quais|quem|onde
`)

/** What a text is made of, and documents in general. */
export const textNouns = phrases(`
  text|texts|full text|raw text|content|contents|table|tables|data|fact|facts|key facts|information|info|details|field|fields|value|values|key value pairs|everything|words|entities
  |text|texte|inhalt|inhalte|tabelle|tabellen|daten|rechnungsdaten|belegdaten|angaben|informationen|feld|felder|felder n|wert|werte|alles
  |texte|textes|contenu|tableau|tableaux|donnees|donnee|informations|information|champ|champs|valeur|valeurs|tout
  |texto|textos|contenido|tabla|tablas|datos|dato|informacion|campo|campos|valor|valores
  |testo|testi|contenuto|tabella|tabelle|dati|dato|informazioni|campi|valore|valori
  |tekst|inhoud|tabel|tabellen|gegevens|velden|veld|waarde|waarden|conteudo|tabela|tabelas|dados|informacoes
`)

/** Kinds of documents and of their parts. */
export const documentNouns = phrases(`
  document|documents|file|files|input|inputs|page|pages|pdf|pdfs|scan|scans|image|images|picture|pictures|photo|photos|screenshot|attachment|attachments|message|email|mail|letter|letters|form|forms|sheet|spreadsheet|slip|note|paper|report|record|records
  |invoice|invoices|bill|bills|receipt|receipts|till receipt|order|orders|purchase order|purchase orders|quote|quotation|statement|statements|bank statement|account statement|credit note|delivery note|packing list|payslip|payslips|pay slip|contract|contracts|agreement|lease|policy|certificate|ticket|tickets|weighing slip|cv|resume|id card|passport|menu|catalogue|catalog|price list|schedule|timetable|result list|results|label|brochure|paper|article|utility bill|tax form|application|registration|bundle|skill|header|footer
  |dokument|dokumente|dokuments|dokumentes|datei|dateien|seite|seiten|bild|bildes|bilder|foto|anhang|nachricht|brief|briefs|formular|formulars|beleg|belege|belegs|bericht
  |rechnung|rechnungen|quittung|quittungen|kassenbon|kassenzettel|bon|bestellung|bestellungen|auftrag|angebot|kontoauszug|kontoauszugs|gutschrift|lieferschein|lieferscheins|gehaltsabrechnung|lohnabrechnung|vertrag|vertrags|mietvertrag|mietvertrags|zeugnis|lebenslauf|lebenslaufs|ausweis|preisliste
  |document|documents|fichier|fichiers|page|pages|piece jointe|lettre|courrier|formulaire|rapport|facture|factures|recu|recus|ticket|ticket de caisse|commande|bon de commande|devis|releve|releve de compte|releve bancaire|avoir|bon de livraison|bulletin de paie|fiche de paie|contrat|bail|certificat
  |documento|documentos|archivo|archivos|pagina|paginas|imagen|imagenes|carta|formulario|informe|factura|facturas|recibo|recibos|ticket|pedido|pedidos|orden de compra|presupuesto|extracto|extracto bancario|nota de credito|albaran|nomina|contrato|certificado
  |documenti|file|immagine|immagini|lettera|modulo|relazione|fattura|fatture|ricevuta|ricevute|scontrino|scontrini|ordine|ordini|ordine di acquisto|preventivo|estratto conto|nota di credito|bolla|busta paga|contratto|certificato
  |factuur|facturen|bon|bonnetje|bestelling|offerte|rekeningafschrift|pakbon|loonstrook|brief|formulier|bestand|afbeelding|pagina|paginas
  |fatura|faturas|ficheiro|arquivo|imagem|encomenda|extrato|guia de remessa|contrato|documento
`)

/** Names of data that documents print, beside those that the engine knows labels of. */
export const dataNouns = phrases(`
  name|names|title|titles|number|numbers|no|date|dates|amount|amounts|total|totals|grand total|sum|price|prices|line|lines|line item|line items|item|items|row|rows|column|columns|entry|entries|cell|cells|heading|headings|headers|address|addresses|party|parties|vendor|seller|supplier|buyer|customer|client|company|person|tax|taxes|vat|currency|quantity|quantities|unit price|description|descriptions|code|codes|id|ids|reference|references|phone|iban|account|bank account|payment|payments|due|due date|terms|transaction|transactions|balance|position|positions|list|order number|invoice number|kind|type|category
  |datum|daten|nummer|nummern|betrag|betrage|summe|summen|gesamtbetrag|preis|preise|position|positionen|posten|zeile|zeilen|spalte|spalten|name|namen|adresse|adressen|anschrift|verkaufer|kaufer|lieferant|kunde|kunden|kaufers|verkaufers|lieferanten|firma|steuer|wahrung|menge|mengen|beschreibung|beschreibungen|kennung|konto|zahlung|falligkeit|falligkeitsdatum|rechnungsnummer|rechnungsdatum|artikel|art|kategorie|fallig
  |nom|noms|numero|numeros|montant|montants|total|totaux|somme|prix|ligne|lignes|article|articles|colonne|colonnes|adresse|vendeur|acheteur|fournisseur|client|societe|entreprise|tva|taxe|taxes|devise|quantite|quantites|description|descriptions|reference|echeance|date d echeance|date|dates|numero de facture|paiement|type|categorie
  |nombre|nombres|numero|fecha|fechas|fecha de vencimiento|vencimiento|importe|importes|total|totales|precio|precios|linea|lineas|linea de detalle|articulo|articulos|concepto|conceptos|fila|filas|columna|columnas|direccion|vendedor|comprador|proveedor|cliente|empresa|impuesto|impuestos|iva|moneda|cantidad|descripcion|descripciones|referencia|pago|tipo|categoria
  |nome|nomi|numero|numeri|data|date|data di scadenza|scadenza|importo|importi|totale|totali|prezzo|prezzi|riga|righe|voce|voci|articolo|articoli|colonna|colonne|indirizzo|venditore|acquirente|fornitore|azienda|imposta|imposte|valuta|quantita|descrizione|descrizioni|riferimento|pagamento|tipo
  |naam|bedrag|bedragen|totaal|totaalbedrag|prijs|regel|regels|artikelen|adres|leverancier|klant|factuurnummer|factuurdatum|vervaldatum|btw|nummer|datum
  |data|datas|valor total|preco|linhas|itens|item|endereco|fornecedor|cliente|numero da fatura|quantidade|descricao
`)

/** What a choice among the values of a schema decides. */
export const kindNouns = words('kind type category class art kategorie typ type categorie tipo categoria soort')

/** Nouns that ask to add up when many things stand behind them: "the sum of the items". */
export const aggregates = words(
  'total totals sum sums summe summen gesamtsumme somme sommes suma sumas somma somme totale totali totaal',
)

/** Many things of one kind. */
export const collections = phrases(`
  items|line items|lines|rows|amounts|quantities|prices|unit prices|entries|transactions|payments|taxes|totals|invoices|receipts|documents|orders|pages|values|columns
  |positionen|posten|zeilen|betrage|mengen|preise|zahlungen|rechnungen|belege|dokumente|werte|artikel
  |articles|lignes|montants|quantites|prix|factures|recus|paiements|valeurs|articulos|lineas|importes|cantidades|precios|facturas|recibos|pagos|conceptos|filas|valores
  |articoli|righe|voci|importi|quantita|prezzi|fatture|ricevute|pagamenti|valori|regels|bedragen|prijzen|facturen|linhas|itens|valores|faturas
`)

/** Labels of documents that are work when they are said to somebody. */
export const workLabels = words('check charge change return mark rate balance')

/** What rules read beside words: these need a schema, which says where they belong. */
export const mediaNouns = phrases(`
  barcode|barcodes|qr code|qr codes|codes|duration|length|seconds|scene|scenes|frame|frames|frame rate|width|height|resolution|size|sound|audio|audio track|video|film|recording|strichcode|strichcodes|barcodes|dauer|szenen|breite|hohe|code barres|codes barres|codes a barres|code a barres|duree|codigo de barras|codigos de barras|duracion|codice a barre|codici a barre|durata
`)

/** The form of the answer, which the schema and the engine give anyway. */
export const formNouns = phrases(`
  json|valid json|json object|json schema|schema|response schema|structure|structured data|structured format|structured json|format|response|answer|result|iso|iso 8601|iso 8601 format|iso date|iso dates|iso 4217|iso code|number|numbers|decimal|decimals|string|strings|printed|it is|they are|it stands|null
  |schemas|struktur|antwort|ergebnis|zahl|zahlen|gedruckt|schema json|format json|reponse|resultat|nombre|nombres|esquema|formato|formato json|respuesta|resultado|numero|numeros|schema json|formato json|risposta|risultato|numeri
`)

/** Sentences that promise what the engine does anyway: they ask for no work. */
export const assurances = phrases(`
  nothing else|no other text|no additional text|no extra text|no explanation|no explanations|no commentary|no comments|no markdown|json only|nothing more|be precise|be exact|be accurate|be careful|be thorough|then stop|asked before in the same session|check before you answer
  |sonst nichts|nichts weiter|keine erklarung|keine erklarungen|kein weiterer text|rien d autre|sans explication|aucune explication|nada mas|sin explicaciones|nient altro|senza spiegazioni|verder niets|mais nada
`)

/** What a caller may forbid: the engine does none of it. */
export const forbidders = phrases('do not|don t|never|nicht|niemals|ne|n|jamais|no|nunca|non|mai|niet|nooit|nao')

export const forbidden = words(`
  guess invent make fabricate hallucinate assume infer estimate translate convert compute calculate add change modify rewrite summarise summarize explain comment paraphrase interpret
  raten rate erfinden erfinde schatzen schatze ubersetzen ubersetze umrechnen berechnen berechne andern andere erklaren
  devine deviner devinez invente inventer inventez estime traduis traduire convertis calcule modifie
  adivines adivinar inventes inventar inventa traduzcas traduzca conviertas calcules modifiques
  indovinare inventare inventa tradurre convertire calcolare modificare
  raden verzinnen vertalen adivinhe traduza
`)

/** What else may stand in a sentence that says what is null. */
export const nullWords = words(`
  null use return set leave give put write empty blank if when where otherwise missing absent unknown unclear illegible not found present there stated printed shown available
  exist exists does do is are nothing for
  wenn falls fehlt fehlen fehlende nicht gefunden vorhanden leer lasse verwende setze gib si manque manquant absent n existe pas introuvable laisse vide utilise
  si falta faltan no existe ausente deja vacio usa se manca mancano non presente assente lascia vuoto indien ontbreekt
`)

export const nullConditions = words(`
  missing absent unknown unclear illegible not otherwise fehlt fehlen fehlende nicht manque manquant absent pas introuvable falta faltan ausente no manca mancano non assente ontbreekt
`)

/** Roles that a prompt opens with. */
export const roleWords = words(`
  you are act assistant expert specialist specialised specialized agent extractor reader parser engine system helpful professional experienced who that which
  at du bist ein sie sind assistent experte spezialist tu es vous etes assistante expert eres un asistente experto sei un assistente esperto accounting business buchhaltung comptable contable contabile clerk
`)
