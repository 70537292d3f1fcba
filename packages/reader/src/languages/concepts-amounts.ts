import type { Concept } from './concept.ts'

/** Amounts, and columns of item tables. */
export const amountConcepts: readonly Concept[] = [
  {
    id: 'subtotal',
    kind: 'money',
    labels:
      'exclusief btw|exkl mwst|exkl ust|ohne mwst|ohne ust|hors taxe|sin iva|sem iva|excl tax|excl vat|excluding tax|excluding vat|ex vat|net of tax|exclusive of tax|total before vat|total before gst|senza iva|iva esclusa|iva excluido|untaxed amount|total exc tax|amount excl tax|total exc vat|total exc gst|net excl vat|subtotal|sub total|subtotal amount|net amount|net total|total net|net|total excl vat|total excl tax|total excluding tax|total excluding vat|total excl gst|total ex vat|total ex gst|total exclusive of vat|amount excl vat|amount before tax|total before tax|taxable amount|taxable value|untaxed amount|amount excluding tax|items total|item total|goods total|total goods|total sales excluding gst|total sales excl gst|sub total excl gst|net sales|merchandise total|zwischensumme|nettobetrag|netto|summe netto|gesamt netto|nettosumme|gesamtbetrag netto|netto gesamt|warenwert|rechnungsbetrag netto|gesamtnetto|total ht|sous total|montant ht|total hors taxes|total hors taxe|sous total ht|total net ht|montant total ht|base ht|montant hors taxes|base imponible|subtotal sin iva|total neto|importe neto|total sin iva|neto|suma|imponibile|totale imponibile|subtotale|totale netto|netto a pagare|totale senza iva|totale parziale|importo netto|parziale|subtotaal|totaal excl btw|totaal exclusief btw|bedrag excl btw|netto bedrag|nettobedrag|totaal netto|totaal excl|excl btw|total sem iva|valor líquido|total líquido|incidência|base tributável|sub total sem iva|valor sem iva',
    weak: 'base|total amount',
    names:
      'amount untaxed|pretax amount|pre tax amount|untaxed|net value|total net amount|subtotal excl tax|amount without tax',
  },
  {
    id: 'tax',
    kind: 'money',
    labels:
      'state tax|city tax|county tax|local tax|of which vat|of which tax|of which gst|incl vat|incl tax|incl gst|incl iva|incl tva|incl btw|including vat|including gst|including tax|vat incl|vat included|davon ust|enthaltene ust|inkl ust|tva incluse|tva comprise|dont tva|iva inclusa|di cui iva|iva incluída|iva incl|waarvan btw|btw incl|incl mwst|tax total|total tax amount|vat total|vat content|gst content|hst gst|gst hst|imposta iva|total imposto|total impuestos|impuestos incluidos|tax|vat|gst|sales tax|tax amount|vat amount|gst amount|total tax|total vat|total gst|tax total|vat total|gst total|hst|pst|sst|service tax|vat payable|gst payable|mwst|ust|mehrwertsteuer|umsatzsteuer|mwst betrag|steuerbetrag|zzgl mwst|zzgl ust|zzgl umsatzsteuer|zzgl mehrwertsteuer|enthaltene mwst|enth mwst|inkl mwst|incl mwst|davon mwst|ust betrag|summe mwst|summe steuer|steuer|gesamt mwst|tva|montant tva|total tva|montant de la tva|taxe|taxes|montant des taxes|dont tva|iva|importe iva|cuota iva|total iva|iva incluido|impuesto|impuestos|importe del iva|cuota|imposta|importo iva|totale iva|di cui iva|imposte|btw|btw bedrag|btw totaal|totaal btw|omzetbelasting|waarvan btw|bedrag btw|valor do iva|total do iva|montante iva|imposto|impostos|valor iva|total impostos|tax due|igst|cgst|sgst|tax incl|tax included|includes tax',
    names: 'tax total|vat total|total tax amount|amount tax|taxes|gst|tax value|vat value|total vat amount',
  },
  {
    id: 'tax_rate',
    kind: 'percent',
    labels:
      'tax rate|vat rate|gst rate|vat %|tax %|gst %|rate of vat|sales tax rate|mwst satz|ust satz|steuersatz|mwst %|ust %|taux tva|taux de tva|taux|tva %|tipo iva|tipo de iva|% iva|iva %|aliquota|aliquota iva|btw tarief|btw percentage|btw %|taxa iva|taxa de iva|taxa do iva|% btw|% tva|% mwst|% vat',
    weak: 'vat|tax|gst|mwst|ust|tva|iva|btw|zzgl mwst|zzgl ust|sales tax',
    names: 'tax percent|vat percent|tax percentage|vat percentage|line tax percent',
    family: 'rate',
  },
  {
    id: 'total',
    kind: 'money',
    labels:
      'total|grand total|total amount|invoice total|total invoice|order total|total due|total amount due|total payable|amount payable|net payable|total to pay|total incl vat|total incl tax|total including vat|total including tax|total incl gst|total inclusive of gst|total inclusive gst|total inc vat|total inc gst|total inc tax|total incl|total inclusive|gross amount|gross total|total gross|nett total|net total incl gst|total sales inclusive of gst|total sales inclusive gst|total sales incl gst|total sales|total rounded|rounded total|total after rounding|total amt|total amt payable|total amount payable|total amt incl gst|total amount incl gst|total rm|total usd|total eur|total price|po total|bill total|total bill|total value|final total|total sale|gesamtbetrag|gesamtsumme|rechnungsbetrag|bruttobetrag|gesamt|summe|endbetrag|total brutto|gesamt brutto|summe brutto|zu zahlen|zahlbetrag|endsumme|brutto|gesamtbetrag brutto|rechnungssumme|gesamtpreis brutto|auftragssumme|bestellsumme|total ttc|montant ttc|total à payer|net à payer|montant total|montant total ttc|total général|total toutes taxes comprises|montant à payer|montant dû|total de la commande|total factura|importe total|total a pagar|total con iva|importe a pagar|total general|total pedido|total del pedido|totale|totale fattura|totale complessivo|totale documento|totale da pagare|totale ivato|totale con iva|importo totale|totale ordine|totale generale|importo da pagare|totaal|totaalbedrag|totaal incl btw|totaal inclusief btw|te betalen|totaal te betalen|factuurbedrag|eindtotaal|totaal incl|factuurtotaal|ordertotaal|totaal bestelling|total com iva|valor total|total geral|montante total|total da fatura|valor a pagar|total da encomenda|total do pedido|total do documento|jumlah|amount due',
    weak: 'rounding|rounding rm|net total|nett total|amount|betrag|montant|importe|importo|bedrag|valor|balance due|due|sum|amount charged|charge|payment|total paid',
    names:
      'amount total|total cost|sum|total invoice amount|total including taxes|total gross amount|sum total|price total|amount|receipt total|grand total amount|total with tax',
    family: 'payable',
  },
  {
    id: 'amount_due',
    kind: 'money',
    labels:
      'amount due|balance due|total due|total amount due|amount payable|amount to pay|payment due|balance|outstanding|outstanding amount|outstanding balance|balance payable|amount owing|due amount|please pay|pay this amount|amount outstanding|new balance|offener betrag|zu zahlen|zahlbetrag|fälliger betrag|restbetrag|zu zahlender betrag|offen|noch zu zahlen|zahlungsbetrag|net à payer|montant dû|solde dû|reste à payer|montant à payer|solde à payer|total à payer|à payer|saldo pendiente|importe pendiente|total a pagar|importe a pagar|a pagar|importe adeudado|saldo dovuto|importo dovuto|totale dovuto|da pagare|netto a pagare|totale da pagare|importo da pagare|saldo da pagare|te betalen|openstaand bedrag|verschuldigd bedrag|nog te betalen|te voldoen|totaal te betalen|openstaand|valor em dívida|montante a pagar|valor a pagar|saldo devedor|valor devido',
    weak: 'total|grand total|total incl vat|invoice total|gesamtbetrag|rechnungsbetrag|total ttc|totale|totaal|total amount|due',
    names: 'total due|balance|due amount|amount owed|payable amount',
    family: 'payable',
  },
  {
    id: 'amount_paid',
    kind: 'money',
    labels:
      'amount paid|paid|paid amount|payments|payment received|payments received|less payments|total paid|deposit|deposit paid|prepaid|prepayment|advance|amount received|bezahlt|anzahlung|gezahlt|bereits bezahlt|erhalten|payé|acompte|montant payé|déjà payé|acompte versé|pagado|anticipo|importe pagado|pagato|acconto|importo pagato|betaald|aanbetaling|reeds betaald|pago|valor pago|adiantamento',
    weak: 'payment|cash|card|visa|mastercard|credit|credit card|debit card|debit|bank card|cash rm|credit rm',
    names: 'payments total',
  },
  {
    id: 'cash',
    kind: 'money',
    labels:
      'cash|cash received|cash paid|cash tendered|tendered|amount tendered|tender|cash tender|cash amount|cash rm|paid cash|received|amount received|bar|bargeld|gegeben|bar gegeben|erhalten|bar erhalten|espèces|reçu|espèces reçues|montant reçu|rendu sur|efectivo|entregado|recibido|importe entregado|contanti|contante|ricevuto|contant|ontvangen|cash ontvangen|contant ontvangen|dinheiro|numerário|recebido|entregue',
    weak: 'paid|amount paid',
    names: 'cash received|cash tendered|amount tendered|tendered|cash given|given|amount given',
  },
  {
    id: 'change',
    kind: 'money',
    labels:
      'change|change due|cash change|change given|change amount|balance change|your change|change rm|rückgeld|wechselgeld|zurück|rückgabe|retour|monnaie rendue|rendu|rendu monnaie|monnaie|à rendre|cambio|vuelto|su cambio|resto|resto contanti|wisselgeld|terug|troco|baki',
    names: 'change given|change due',
  },
  {
    id: 'rounding',
    kind: 'money',
    labels:
      'rounding|rounding adj|rounding adjustment|rounding adjust|round adj|rounding amount|rounded|round off|round down|rounding diff|rnd adj|rounding discount|rundung|arrondi|redondeo|arrotondamento|afronding|arredondamento|adjustment',
  },
  {
    id: 'discount',
    kind: 'money',
    labels:
      'discount|discount amount|total discount|less discount|disc|rebate|savings|rabatt|nachlass|skonto|abzgl rabatt|preisnachlass|remise|rabais|réduction|escompte|descuento|dto|desc|sconto|abbuono|korting|totaal korting|desconto',
    names: 'discount total',
  },
  {
    id: 'shipping',
    kind: 'money',
    labels:
      'shipping|shipping cost|shipping costs|shipping & handling|shipping and handling|delivery|delivery charge|delivery fee|delivery cost|freight|postage|carriage|handling|versand|versandkosten|lieferkosten|porto|fracht|frais de port|port|livraison|frais de livraison|transport|expédition|gastos de envío|envío|portes|spese di spedizione|spedizione|trasporto|spese di trasporto|verzendkosten|verzending|bezorgkosten|transportkosten|portes de envio|envio|frete|custos de envio|despesas de envio',
    names: 'shipping fee|freight charge|shipping amount|delivery amount',
  },
  {
    id: 'service_charge',
    kind: 'money',
    labels:
      'service charge|svc charge|serv charge|service charges|ser chg|service fee|servicegebühr|bedienung|frais de service|cargo por servicio|servizio|coperto|servicekosten|taxa de serviço',
  },
  { id: 'tip', kind: 'money', labels: 'tip|gratuity|trinkgeld|pourboire|propina|mancia|fooi|gorjeta' },
  {
    id: 'opening_balance',
    kind: 'money',
    labels:
      'opening balance|beginning balance|balance brought forward|balance b f|brought forward|balance forward|starting balance|previous balance|initial balance|start balance|anfangssaldo|alter saldo|saldo begin|beginstand|solde en début de période|solde de début|balance at start|anfangsbestand|saldovortrag|alter kontostand|eröffnungssaldo|kontostand alt|anfangskontostand|solde initial|ancien solde|solde précédent|solde d ouverture|solde début|solde reporté|saldo inicial|saldo anterior|saldo de apertura|saldo iniziale|saldo precedente|saldo di apertura|beginsaldo|openingssaldo|vorig saldo|oud saldo|saldo de abertura|saldo abertura',
  },
  {
    id: 'closing_balance',
    kind: 'money',
    labels:
      'closing balance|ending balance|balance carried forward|balance c f|carried forward|new balance|current balance|final balance|end balance|statement balance|endsaldo|neuer saldo|schlusssaldo|endbestand|neuer kontostand|abschlusssaldo|kontostand neu|endkontostand|aktueller saldo|solde final|nouveau solde|solde de clôture|solde fin|solde actuel|saldo eind|eindstand|saldo per einde|solde en fin de période|solde de fin|solde en fin|solde fin de période|saldo contabilístico|saldo contabile|balance at end|balance on|saldo final|saldo nuevo|saldo actual|saldo de cierre|nuevo saldo|saldo finale|nuovo saldo|saldo di chiusura|saldo attuale|eindsaldo|nieuw saldo|slotsaldo|saldo de fecho|saldo atual|novo saldo|saldo de encerramento',
    weak: 'balance|amount due|balance due|saldo|solde',
  },
  {
    id: 'total_debits',
    kind: 'money',
    weak: 'cargos|pagos|salidas|debits|paid out|money out|withdrawals|af|afschrijvingen|sorties|débits|débit|addebiti|uscite|dare|ausgänge|belastungen|lastschriften|soll|débitos|totaal af|debit|payments|payments out|levantamentos|saídas',
    labels:
      'total money out|debits total|summe belastungen|summe ausgänge|summe ausgaben|total sorties|total cargado|totale addebiti|totale dare|totaal afgeschreven|total saídas|total salidas|total adeudado|total withdrawals and debits|total debits|total withdrawals|total paid out|total money out|total debit|withdrawals total|total payments|summe soll|belastungen gesamt|summe belastungen|total débits|total débit|total des débits|total cargos|total adeudos|total débitos|totale addebiti|totale uscite|totale dare|totaal af|totaal debet|totaal afschrijvingen|money out|paid out total|withdrawals',
    names: 'debits total|total withdrawals',
  },
  {
    id: 'total_credits',
    kind: 'money',
    weak: 'abonos|ingresos|entradas|credits|paid in|money in|deposits|receipts|bij|bijschrijvingen|entrées|crédits|crédit|accrediti|entrate|avere|eingänge|gutschriften|haben|créditos|totaal bij|credit|payments in',
    labels:
      'total money in|total credits received|credits total|summe gutschriften|summe eingänge|summe einnahmen|total entrées|total ingresos|totale accrediti|totale avere|totaal bijgeschreven|total entradas|total abonado|total deposits and credits|total credits|total deposits|total paid in|total money in|total credit|deposits total|summe haben|gutschriften gesamt|summe gutschriften|total crédits|total crédit|total des crédits|total abonos|total ingresos|total créditos|totale accrediti|totale entrate|totale avere|totaal bij|totaal credit|totaal bijschrijvingen|money in|deposits',
    names: 'credits total|total deposits',
  },
  {
    id: 'currency',
    kind: 'currency',
    labels:
      'beträge in|alle beträge in|amounts in|all amounts in|montants en|importes en|importi in|bedragen in|valores em|prices in|preise in|betrag in|prix en|precios en|prezzi in|prijzen in|preços em|currency|currency code|währung|devise|monnaie|moneda|divisa|valuta|moeda|munt',
    names: 'currency iso|currency symbol|iso currency',
  },
  {
    id: 'item_count',
    kind: 'integer',
    labels:
      'item count|no of items|number of items|items|total items|total qty|total quantity|item s|items count|anzahl artikel|artikelanzahl|positionen|nombre d articles|nb articles|articles|número de artículos|artículos|numero articoli|pezzi|aantal artikelen|nº artigos|quantidade total|qty items',
    names: 'items count|total items|total quantity',
  },
  {
    id: 'line_number',
    kind: 'integer',
    column: true,
    labels:
      'pos|position|line|line no|line number|item no|item #|ln|row|s no|sl no|sr no|sno|lfd nr|nr|no|ligne|línea|riga|regel|linha|no art|#',
    weak: 'item',
    names: 'line number|row number|position number|index',
  },
  {
    id: 'item_code',
    kind: 'id',
    column: true,
    labels:
      'item code|sku|article|article no|article number|art no|art nr|artnr|part no|part number|part #|product code|product no|product id|product number|code|stock code|item number|item no|item #|item id|catalog no|cat no|artikelnummer|artikel nr|artikelnr|art nummer|teilenummer|réf|référence|réf article|code article|ref|referencia|código|cód|cod|código artículo|codice|codice articolo|cod art|art|codice prodotto|artikelcode|artikelnummer|productcode|código do artigo|cod artigo|referência|ref no|model|ean|upc|barcode',
    weak: 'articolo|artículo|article|artikel|artigo|product|producto|produit|produkt|item',
    names: 'product sku|item reference|code|article code|part|item sku',
  },
  {
    id: 'description',
    kind: 'text',
    column: true,
    labels:
      'buchungsinfo|erläuterung|écriture|écritures|toelichting|buchungsinformation|buchungsinformationen|payee details|payment type and details|payment type|payment details|denominación|denominação|denominazione|discriminação|particulars|werkzaamheden|beschrijving|libellé|goods services|details|intitulé|benaming|oggetto|objeto|objet|gegenstand|onderwerp|item details|product name|artikelname|leistungen|positionen|tätigkeit|omschrijving dienst|prestations|servicio prestado|servizi|serviços prestados|work done|work description|task|transaction|transactions|transaction details|narrative|payment details|details of transaction|vorgang|verwendungszweck|buchungstext|buchungsdetails|umsatzart|opération|opérations|nature de l opération|détail|détails|nature|movimiento|detalle|operación|descripción de la operación|operazione|causale|descrizione operazione|dettagli|movimento|mededeling|mededelingen|omschrijving transactie|naam omschrijving|transactie|histórico|descritivo|descrição do movimento|operação|item name|line item|service description|scope|benennung|artikel bezeichnung|désignation article|descripción del artículo|descripción del producto|beni e servizi|omschrijving artikel|descrição do artigo|produkt dienstleistung|produkte|produits|productos|prodotti|producten|produtos|artículos|articoli|artigos|artikelen|description|item description|product description|description of goods|description of services|details|particulars|item|items|product|products|product name|item name|goods|service|services|activity|work|article|articles|goods description|name|title|bezeichnung|beschreibung|artikel|artikelbezeichnung|leistung|produkt|position|ware|artikelbeschreibung|leistungsbeschreibung|warenbezeichnung|text|désignation|libellé|produit|prestation|désignation des articles|descripción|concepto|artículo|producto|detalle|servicio|descrizione|descrizione articolo|prodotto|articolo|servizio|descrizione prodotto|descrizione merce|omschrijving|artikelomschrijving|product omschrijving|dienst|descrição|designação|produto|artigo|serviço',
    names: 'name|item|product|desc|title|label|item name|product name|narration|memo',
  },
  {
    id: 'quantity',
    kind: 'number',
    column: true,
    labels:
      'no of|no un|nb un|stückzahl|hours qty|qty hours|hrs qty|unidades|unid|units qty|nr of units|quantité commandée|quantity|qty|qnty|quant|units|pcs|count|hours|hrs|nos|no of units|qty ordered|quantity ordered|ordered|order qty|menge|anzahl|stk|stück|stunden|mge|std|quantité|qté|qte|nb|nombre|heures|cantidad|cant|uds|unidades|ctd|horas|quantità|q tà|qtà|qta|q ta|ore|pezzi|nr pezzi|aantal|hoeveelheid|stuks|uren|aant|quantidade|qtd|qtde|quant|qt|bestellmenge',
    weak: 'ud|un|unid|u|st|unit|volume',
    names: 'amount of units|number of units|ordered quantity|qty ordered',
  },
  {
    id: 'unit',
    kind: 'text',
    column: true,
    labels:
      'units|per|unità misura|um qtà|ud medida|unid|emb|verp|ve|unit|uom|unit of measure|u m|measure|einheit|me|eh|unité|unidad|ud|unità|u m|um|eenheid|unidade|un|unit type',
    names: 'unit of measurement|measure unit|units of measure',
  },
  {
    id: 'unit_price',
    kind: 'money',
    column: true,
    labels:
      'tarif|tarifa|tariffa|tarief|cost per unit|cost per|charge per unit|einzelsatz|unit tariff|precio neto|prix de vente|pvp|prix u|unit pr|preis je einheit|preis je|einzelpr|pr unit|prezzo cad|cad|precio u|pvu|prijs per stuk|prijs p st|netto prijs|p u net|prix unitaire net|unit cost price|each price|price each|unit price|price per unit|unit cost|price each|unit rate|rate|price|each|cost|u price|u p|unit net price|net price|price unit|cost per unit|hourly rate|single price|item price|list price|einzelpreis|stückpreis|preis|e preis|ep|einzel|preis pro einheit|preis einheit|stk preis|netto preis|einzelpreis netto|preis stk|e preis netto|prix unitaire|prix unitaire ht|pu|pu ht|p u|p u ht|prix|prix u|prix unit|prix ht|precio unitario|precio|precio ud|precio unidad|p unitario|p unit|precio unit|prezzo unitario|prezzo|prezzo un|prezzo unit|p unitario|costo unitario|eenheidsprijs|stukprijs|prijs|prijs per stuk|prijs per eenheid|stuksprijs|preço unitário|preço|preço unit|p unit|preço un|valor unitário|vlr unit',
    names: 'price unit|unit amount|price per item',
  },
  {
    id: 'line_amount',
    kind: 'money',
    column: true,
    labels:
      'wert|waarde|valeur|neto|importância|imp|extended value|gesamtwert|netto waarde|valor neto|total neto|prijs incl btw|price incl vat|price incl tax|preis inkl mwst|prix ttc|total ttc|montant ttc|amount incl vat|bedrag incl btw|bruto|brutto|gross|gross amount|total gross|importe con iva|importo ivato|tax excl amount|amount excl tax|total excl|total excl vat|total ex vat|total excl tax|totaal excl|totaal excl btw|total sin iva|total s iva|total sem iva|gesamt netto|summe netto|total eur|amount eur|amount usd|amt rm|amount rm|total rm|line net|importe total|valor líquido|nett|nett amount|sub total amount|amount|line total|line amount|total|total price|extended price|extended|ext price|ext|net amount|value|sum|extension|ext amount|total amount|amount net|item total|price total|line value|net value|net|total net|amt|betrag|gesamt|gesamtpreis|summe|g preis|gp|gesamt netto|nettobetrag|zeilensumme|gesamtbetrag|netto|preis gesamt|gesamtpreis netto|positionssumme|montant|montant ht|total ht|total ligne|prix total|montant net|total net|importe|importe total|precio total|importe neto|total línea|importo|totale|prezzo totale|importo netto|totale riga|imponibile|totale netto|valore|bedrag|totaal|totaalprijs|regeltotaal|nettobedrag|valor|valor total|montante|preço total|total linha|importância|total líquido',
    weak: 'subtotal|sub total|zwischensumme|sous total|subtotale|subtotaal|price|cost|preis|prix|precio|prezzo|prijs|preço',
    names: 'price subtotal|subtotal|total price|line subtotal|total|amount|extended amount|price|line price',
  },
  {
    id: 'line_tax_rate',
    kind: 'percent',
    column: true,
    labels:
      'vat|vat %|vat rate|tax|tax %|tax rate|gst|gst %|mwst|ust|mwst %|ust %|steuer|steuersatz|tva|tva %|taux tva|taux|iva|iva %|% iva|aliquota|aliq|btw|btw %|btw tarief|taxa iva|taxa',
    names: 'tax rate|vat rate|line tax percent|tax percent|vat percent|gst rate',
  },
  {
    id: 'line_discount',
    kind: 'percent',
    column: true,
    labels:
      'discount|disc|disc %|discount %|rabatt|rabatt %|remise|remise %|rem|descuento|dto|dto %|desc|sconto|sconto %|sc|korting|korting %|desconto|desc %',
    names: 'discount percent|discount percentage|discount rate',
  },
  {
    id: 'transaction_date',
    kind: 'date',
    column: true,
    weak: 'le|op datum|am',
    labels:
      'booked|tag|dat|dated|buch tag|buchungstag date|data lanç|date compta|booking date|dt|date d op|fecha mov|booking|entry date|processed|effective date|data op|boeking|datum boeking|data operação|data lanç|buchung am|date|transaction date|trans date|posting date|value date|booking date|post date|date posted|posted|datum|buchungsdatum|buchungstag|wert|wertstellung|valuta|buchung|date opération|date de l opération|date valeur|date d opération|date de valeur|fecha|fecha operación|fecha valor|fecha de operación|f valor|f operación|data|data operazione|data valuta|data contabile|data movimento|boekdatum|transactiedatum|rentedatum|boekingsdatum|data movimento|data valor|data do movimento|data mov|data lançamento',
    names: 'date|transaction date|posted date|booked on|posted at',
  },
  {
    id: 'debit',
    kind: 'money',
    column: true,
    labels:
      'a debito|au débit|a débito|dépense|dépenses|im soll|auszahlung|auszahlungen|abgang|abgänge|zu ihren lasten|ihre lasten|levantamento|retrait|retiro|prelievo|opname|pagamentos|spent|debited|dr|out|money out|payments out|paid out|debit amount|dr amount|uitgaven|uscite|sorties|salidas|pagos|betalingen|addebito|ausgänge|retiros|retraits|prelievi|opnames|levantamentos|debit|debits|withdrawal|withdrawals|money out|paid out|payments|charges|charge|out|dr|debit amount|soll|belastung|lastschrift|ausgang|ausgaben|débit|cargo|cargos|debe|adeudo|addebito|addebiti|uscite|dare|af|debet|afschrijving|afgeschreven|uit|débito|débitos|saída|saídas',
    names: 'withdrawal|debit amount|paid out|money out',
  },
  {
    id: 'credit',
    kind: 'money',
    column: true,
    labels:
      'recette|recettes|lodgement|lodgements|a credito|au crédit|a crédito|im haben|zugang|zugänge|zu ihren gunsten|ihre gunsten|recebimentos|recebimento|versamento|dépôt|depósito|deposited|received|credited|money in|payments in|paid in|receipts|accredito|accrediti|entrées|entradas|depósitos|versements|dépôts|ontvangsten|inkomsten|versamenti|gutschriften|einzahlung|einzahlungen|credit|credits|deposit|deposits|money in|paid in|in|cr|credit amount|haben|gutschrift|eingang|einnahmen|crédit|abono|abonos|haber|ingreso|ingresos|accredito|accrediti|entrate|avere|bij|bijschrijving|bijgeschreven|crédito|créditos|entrada|entradas',
    names: 'deposit|credit amount|paid in|money in',
  },
  {
    id: 'running_balance',
    kind: 'money',
    column: true,
    labels:
      'ledger balance|saldo resultante|kontosaldo|stand|saldo después|saldo após mov|account balance|new balance|balance after|kontostand neu|saldo neu|running|saldo progressivo|saldo contabile|solde progressif|solde après|saldo acumulado|saldo na|saldo disponible|saldo após|lopend saldo|laufender saldo|saldo contabilístico|balance|running balance|saldo|kontostand|solde|bal',
    names: 'balance|running balance|balance after',
  },
  {
    id: 'movement',
    kind: 'money',
    column: true,
    labels:
      'movement|som|somma|umsatzbetrag|transaction value|transaction amount|soma|valor do movimento|importe del movimiento|mouvement|mouvements|movimento eur|importância|montante eur|transaction|transaction amount eur|mutatie bedrag|af bij|bij af|bedrag eur|umsatz eur|betrag eur|importe eur|importo eur|montant eur|valor eur|amount|transaction amount|betrag|umsatz|montant|importe|movimiento|importo|movimento|bedrag|mutatie|valor|montante|value',
    names: 'amount|transaction amount|value',
  },
]
