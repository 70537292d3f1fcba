import type { Concept } from './concept.ts'

/** Numbers, dates and terms that identify a document. */
export const referenceConcepts: readonly Concept[] = [
  {
    id: 'invoice_number',
    kind: 'id',
    labels:
      'invoice number|invoice no|invoice num|invoice id|invoice #|inv no|inv #|inv number|invoice ref|invoice reference|tax invoice no|tax invoice number|tax invoice #|bill number|bill no|bill id|' +
      'rechnungsnummer|rechnungs nr|rechnung nr|rechnungsnr|rechnung nummer|rechnungs nummer|re nr|rg nr|belegnummer|beleg nr|' +
      'numéro de facture|numéro facture|no de facture|n° de facture|facture n°|facture no|facture numéro|n° facture|nº facture|réf facture|référence facture|' +
      'número de factura|nº de factura|n° de factura|factura nº|factura n°|factura no|factura número|núm factura|num factura|nº factura|número factura|nro factura|no de factura|' +
      'numero fattura|fattura n|fattura n°|fattura nr|fattura no|fattura numero|n fattura|nr fattura|numero della fattura|numero di fattura|n° fattura|documento n|' +
      'factuurnummer|factuur nr|factuurnr|factuur nummer|factuur no|fact nr|' +
      'número da fatura|número da factura|nº da fatura|fatura nº|fatura n°|fatura no|fatura número|nº fatura|número fatura|fatura n|nota fiscal nº|credit note no|credit note number|gutschriftsnummer',
    weak: 'invoice|rechnung|facture|factura|fattura|factuur|fatura|tax invoice|document no|document number|doc no|bill|our reference|number|no|nr|número|numéro|numero|nummer',
    names: 'invoice|invoice num|invoice code',
  },
  {
    id: 'receipt_number',
    kind: 'id',
    labels:
      'bonnr|bon no|transaction|transactie|transacción|transaktion|transazione|transação|transaksi|talão|talão no|talón|ticket no|vale no|operación no|operation no|folio|docket|docket no|order no|check|kassenbon no|kassabon no|document commercial no|no ticket|no ticket de caisse|scontrino no|ricevuta no|recibo no|invoice no|fattura no|factura no|facture no|no op|op no|receipt number|receipt no|receipt id|receipt #|rcpt no|rcpt #|rcpt|slip no|slip number|cash bill no|cash sale no|cash bill|ticket number|ticket no|ticket #|check no|check #|chk|transaction id|transaction no|trans no|trx no|txn|trans|bon nr|bonnummer|bon nummer|quittung nr|quittungsnummer|quittungs nr|kassenbon nr|ticket n°|ticket nº|reçu n°|reçu no|n° ticket|n° de ticket|recibo nº|recibo no|nº recibo|número de recibo|ricevuta n|scontrino n|numero scontrino|numero ricevuta|documento n|bon no|kassabon nr|beleg nr|belegnr|belegnummer|bon n°|n° reçu|factura simplificada|fattura semplificata|fatura simplificada|documento commerciale n|documento commerciale',
    weak: 'no|nota|receipt|ticket|bill no|invoice no|doc no|document no|ref|quittung|kassenbon|beleg|bon|reçu|recibo|ricevuta|scontrino|no|nr',
    names: 'receipt|ticket',
  },
  {
    id: 'order_number',
    kind: 'id',
    labels:
      'order number|order no|order #|order id|order ref|order reference|sales order|sales order no|sales order number|so number|so no|our order no|your order no|bestellnummer|bestell nr|bestellnr|auftragsnummer|auftrags nr|auftragsnr|auftrag nr|auftrag|numéro de commande|n° de commande|commande n°|no de commande|commande no|n° commande|réf commande|votre commande|número de pedido|nº de pedido|pedido nº|pedido no|nº pedido|n° pedido|pedido n°|numero ordine|ordine n|n ordine|nr ordine|n° ordine|ordine nr|numero d ordine|ordernummer|order nr|ordernr|bestelnummer|bestel nr|bestelnr|número do pedido|nº do pedido|pedido n|encomenda nº|nº encomenda|número da encomenda|booking id|booking no|booking number|booking reference',
    weak: 'order|bestellung|commande|pedido|ordine|bestelling|encomenda|your order|ihre bestellung|customer order',
    family: 'order',
  },
  {
    id: 'purchase_order_number',
    kind: 'id',
    labels:
      'einkaufsbestellung no|pedido de compra|pedido de compra no|ordine fornitore|ordine fornitore no|bestelopdracht no|bestelbon no|no de orden|orden no|order reference no|purchase order number|purchase order no|purchase order #|purchase order id|po number|po no|po #|po num|po ref|po reference|p o no|p o number|p o #|p o|customer po|your po|customer po no|customer po number|your po number|purchase order|bestellnummer|bestell nr|bestellnr|bestellung nr|ihre bestellnummer|ihre bestellung|ihre bestellnr|kundenbestellnummer|bon de commande|bon de commande n°|bon de commande no|n° bon de commande|n° de bon de commande|n° bc|numéro de bon de commande|numéro de commande|n° de commande|commande n°|commande no|n° commande|n° de commande client|orden de compra|orden de compra nº|nº orden de compra|orden de compra n°|n° orden de compra|número de orden de compra|número de orden|nº de orden|nº de pedido|número de pedido|pedido nº|nº pedido|oc nº|ordine di acquisto|ordine di acquisto n|ordine d acquisto|ordine d acquisto n|ordine acquisto|numero ordine di acquisto|n ordine di acquisto|n ordine|numero ordine|ordine n|ordine nr|inkooporder|inkoopordernummer|inkooporder nr|inkoopnummer|bestelnummer|bestelnr|bestel nr|ordem de compra|ordem de compra nº|nº ordem de compra|nº da ordem de compra|número da ordem de compra|nota de encomenda|nota de encomenda nº|nº encomenda|encomenda nº|nº da encomenda|número de encomenda|número da encomenda|customer order number|your order number|your order no',
    weak: 'your reference|your ref|customer reference|ihre referenz|ihr zeichen|votre référence|votre réf|su referencia|vostro riferimento|vs riferimento|vs rif|rif ordine|uw referentie|uw kenmerk|uw ordernummer|vossa referência|v referência|ns ordine|vs ordine|ref commande|ref cliente|client reference|reference|po|order no|order number|order|order ref|your reference|your ref|order #|bestellung|auftragsnummer|pedido|ordine|ordernummer|encomenda|commande|customer order',
    names: 'po|po id|purchase order ref',
    family: 'order',
  },
  {
    id: 'customer_number',
    kind: 'id',
    labels:
      'customer number|customer no|customer id|customer #|customer code|customer ref|cust no|cust id|cust #|client number|client no|client id|client #|kundennummer|kunden nr|kundennr|kunden nummer|kd nr|kunde nr|numéro client|n° client|no client|client n°|code client|numéro de client|réf client|référence client|n° de client|número de cliente|nº de cliente|nº cliente|n° cliente|cliente nº|código de cliente|código cliente|cod cliente|núm cliente|numero cliente|codice cliente|cliente n|n cliente|nr cliente|klantnummer|klant nr|klantnr|debiteurnummer|debiteurnr|debiteur nr|número do cliente|nº do cliente|código do cliente|cliente n°|debitorennummer|debitor nr|member id|member no|patient id|account id',
    weak: 'account number|account no|account #|acct no|konto nr',
    names: 'client code',
  },
  {
    id: 'reference',
    kind: 'id',
    labels:
      'reference|reference number|reference no|ref no|ref number|ref|ref #|our reference|our ref|your reference|your ref|payment reference|payment ref|communication|referenz|zeichen|unser zeichen|ihr zeichen|verwendungszweck|référence|réf|notre référence|votre référence|referencia|su referencia|nuestra referencia|riferimento|rif|vostro riferimento|nostro riferimento|kenmerk|betalingskenmerk|uw kenmerk|ons kenmerk|referentie|uw referentie|referência|ref cliente|vossa referência|nossa referência|payment communication',
  },
  {
    id: 'payment_reference',
    kind: 'id',
    labels:
      'payment reference|payment ref|verwendungszweck|zahlungsreferenz|référence de paiement|referencia de pago|riferimento pagamento|causale|betalingskenmerk|referência de pagamento|remittance reference|payment communication',
    weak: 'reference|ref',
  },
  {
    id: 'delivery_note_number',
    kind: 'id',
    labels:
      'delivery note|delivery note no|delivery note number|delivery no|delivery number|d o no|do no|shipment no|shipment number|packing slip no|packing list no|lieferscheinnummer|lieferschein nr|lieferschein|lieferscheinnr|lieferschein nummer|bon de livraison|bon de livraison n°|n° bl|bl n°|numéro de bl|albarán|albarán nº|nº albarán|nº de albarán|n° albarán|documento di trasporto|ddt|ddt n|bolla|n ddt|numero ddt|pakbon|pakbonnummer|pakbon nr|pakbonnr|leveringsbon|guia de remessa|guia de remessa nº|guia nº',
  },
  { id: 'project', kind: 'text', labels: 'project|project name|projekt|projet|proyecto|progetto|projeto' },
  {
    id: 'contract_number',
    kind: 'id',
    labels:
      'contract number|contract no|contract #|contract id|contract|agreement no|vertragsnummer|vertrag nr|vertragsnr|vertrags nr|numéro de contrat|n° de contrat|contrat n°|n° contrat|número de contrato|nº de contrato|contrato nº|nº contrato|numero contratto|contratto n|n contratto|contractnummer|contract nr|contractnr',
  },
  {
    id: 'quote_number',
    kind: 'id',
    labels:
      'quote number|quote no|quote #|quotation number|quotation no|quotation #|estimate no|estimate number|angebotsnummer|angebot nr|angebots nr|numéro de devis|devis n°|n° devis|presupuesto nº|nº presupuesto|preventivo n|numero preventivo|offertenummer|offerte nr|orçamento nº|nº orçamento',
    weak: 'quote|quotation|estimate',
  },
  {
    id: 'invoice_date',
    kind: 'date',
    labels:
      'invoice date|date of invoice|invoiced on|bill date|billing date|tax invoice date|inv date|date of issue|issue date|issued on|date issued|issued|rechnungsdatum|rechnung vom|datum der rechnung|rg datum|re datum|ausstellungsdatum|belegdatum|ausgestellt am|date de facture|date de la facture|date facture|date d émission|date de facturation|facture du|date d edition|émise le|émis le|fecha de factura|fecha factura|fecha de la factura|fecha de emisión|fecha emisión|fecha de expedición|fecha expedición|data fattura|data della fattura|data di emissione|data emissione|data documento|data di fatturazione|factuurdatum|datum factuur|factuur datum|uitgiftedatum|data da fatura|data da factura|data de emissão|data emissão|data fatura|data de faturação|data de faturamento|tax point date|tax point|document date|supply date',
    weak: 'date|datum|fecha|data|dated|date time|date & time|le|date heure|data ora|data e ora',
    names:
      'date|document date|issued at|issued date|doc date|letter date|date of letter|briefdatum|datum des schreibens',
    family: 'issue',
  },
  {
    id: 'receipt_date',
    kind: 'date',
    labels:
      'receipt date|transaction date|purchase date|date of purchase|date of sale|sale date|sales date|bill date|date time|date & time|trans date|trx date|txn date|kaufdatum|verkaufsdatum|belegdatum|date d achat|date de vente|fecha de compra|data acquisto|aankoopdatum|data da compra|datum uhrzeit|datum zeit|fecha hora|fecha y hora|data ora|data e ora|date heure|date et heure|datum tijd|datum en tijd|data hora|data e hora',
    weak: 'date|datum|fecha|data|dated|dt|printed|invoice date|issued|emission|doc date|document date|tarikh',
    names: 'date|timestamp|issued at',
    family: 'issue',
  },
  {
    id: 'due_date',
    kind: 'date',
    labels:
      'due date|payment due date|payment due|date due|pay by|payment date due|due by|due on|due|payable by|payment due by|pay before|please pay by|payment deadline|to be paid by|fällig am|fälligkeitsdatum|fälligkeit|zahlbar bis|zahlungsziel|fällig|zahlungsfrist|zu zahlen bis|bitte zahlen bis|zahlbar bis zum|zahlungstermin|date d échéance|échéance|date échéance|date limite de paiement|à payer avant le|à régler avant le|payable avant le|date limite|fecha de vencimiento|fecha vencimiento|vencimiento|vence|vence el|fecha límite de pago|vto|data scadenza|data di scadenza|scadenza|scadenza pagamento|pagare entro il|da pagare entro|entro il|vervaldatum|betaaldatum|te betalen voor|uiterste betaaldatum|betalen voor|betaal voor|data de vencimento|vencimento|data vencimento|data limite de pagamento|pagar até|vence em',
    names: 'payment due date|due',
  },
  {
    id: 'order_date',
    kind: 'date',
    labels:
      'order date|po date|purchase order date|date of order|ordered on|date ordered|booking date|bestelldatum|auftragsdatum|bestellt am|datum der bestellung|date de commande|date de la commande|date commande|commandé le|commande du|date du bon de commande|fecha de pedido|fecha del pedido|fecha pedido|fecha de la orden|fecha de orden|fecha orden|data ordine|data dell ordine|data d ordine|data di ordine|orderdatum|besteldatum|datum bestelling|bestelling datum|data do pedido|data da encomenda|data encomenda|data da ordem|data pedido',
    weak: 'date|datum|fecha|data|issue date|dated|issued|date of issue|fecha de emisión|data emissione|data de emissão|date d émission',
    names: 'po date',
  },
  {
    id: 'delivery_date',
    kind: 'date',
    labels:
      'afleverdatum|délai|délai de livraison|plazo de entrega|plazo|lieferfrist|termin|termine di consegna|data prevista de entrega|prazo de entrega|leverdatum uiterlijk|levertijd|deliver before|delivery deadline|delivery eta|eta|livraison avant|entregar el|entrega antes de|wunschlieferdatum|liefern am|data limite entrega|a entregar até|delivery date|date of delivery|ship date|shipping date|date shipped|delivered on|deliver by|delivery by|required by|required date|date required|delivery due|deliver on|expected delivery|expected delivery date|requested delivery date|requested delivery|requested date|need by|needed by|delivery required|due for delivery|ship by|lieferdatum|liefertermin|leistungsdatum|liefern bis|lieferung bis|lieferung am|wunschtermin|datum der lieferung|gewünschter liefertermin|lieferung|date de livraison|livraison le|livrer avant|à livrer avant|livraison souhaitée|date de livraison souhaitée|livraison prévue|livraison prévue le|date livraison|livraison|fecha de entrega|entrega el|entregar antes de|fecha entrega|entrega|fecha de entrega solicitada|fecha prevista de entrega|data di consegna|data consegna|consegna entro|consegna il|consegna prevista|consegna|consegna richiesta|leverdatum|leveringsdatum|levering|gewenste leverdatum|leveren voor|levering op|leveren op|te leveren op|data de entrega|data entrega|entregar até|entrega prevista|entrega até',
  },
  {
    id: 'service_date',
    kind: 'date',
    labels:
      'service date|date of service|supply date|date of supply|leistungsdatum|leistungszeitpunkt|date de prestation|fecha de servicio|data servizio|data da prestação|prestatiedatum',
  },
  {
    id: 'payment_date',
    kind: 'date',
    labels:
      'payment date|date of payment|paid on|date paid|paid date|zahlungsdatum|bezahlt am|date de paiement|date de règlement|payé le|fecha de pago|pagado el|data pagamento|data di pagamento|pagato il|betaald op|betaaldatum|data de pagamento|pago em',
  },
  {
    id: 'birth_date',
    kind: 'date',
    labels:
      'date of birth|birth date|dob|d o b|born|geburtsdatum|geboren am|date de naissance|né le|née le|fecha de nacimiento|data di nascita|geboortedatum|data de nascimento',
  },
  {
    id: 'statement_number',
    kind: 'id',
    labels:
      'lfd auszug|lfd auszug no|issue no|issue number|statement ref|statement reference|statement number|statement no|statement id|sheet no|sheet|auszug no|auszugsnummer|auszug|kontoauszug no|kontoauszugsnummer|blatt no|relevé no|no de relevé|no relevé|numéro de relevé|numéro du relevé|extracto no|no extracto|no de extracto|estratto conto no|estratto no|no estratto|no estratto conto|afschrift no|afschriftnummer|afschriftnr|volgnummer|volgnr|rekeningafschrift no|extrato no|no extrato|no do extrato|extracto de cuenta no',
    weak: 'document no|reference|ref',
  },
  {
    id: 'statement_date',
    kind: 'date',
    labels:
      'produced on|date produced|prepared on|printed on|as at|arrêté au|édité le|établi le|date d édition|date d arrêté|gedruckt am|ausgestellt am|fecha de emisión|emitido el|emitido em|emitido a|data de emissão|data di emissione|emesso il|afschrift d d|opgemaakt op|datum uittreksel|statement produced|statement date|date of statement|statement as of|kontoauszug vom|auszugsdatum|datum des auszugs|auszug vom|erstellt am|date du relevé|date de relevé|relevé du|fecha del extracto|fecha de extracto|fecha extracto|fecha del estado|data estratto conto|data estratto|data dell estratto|datum afschrift|afschriftdatum|datum rekeningafschrift|datum overzicht|data do extrato|data do extracto|data extrato|as of date|date issued|issue date',
    weak: 'date|datum|fecha|data|issued|as of|stand|per',
    family: 'issue',
  },
  {
    id: 'period',
    kind: 'text',
    labels:
      'period|period covered|for the period|statement for the period|covering period|billing period|statement period|service period|invoice period|accounting period|leistungszeitraum|abrechnungszeitraum|zeitraum|auszugszeitraum|période|période de facturation|période du relevé|periodo|período|periodo de facturación|periodo di fatturazione|periodo di riferimento|período de faturação|periode|factuurperiode|periode afschrift|período do extrato|periodo del extracto|reporting period',
  },
  {
    id: 'period_start',
    kind: 'date',
    labels:
      'period start|period from|period start date|start of period|statement period start|billing period start|period begin|start date|from date|date from|beginning date|opening date|zeitraum von|beginn|anfangsdatum|startdatum|von|date de début|début de période|du|fecha de inicio|fecha inicio|desde|inizio periodo|data inizio|dal|begindatum|periode van|data de início|data início|início do período|check in|check in date|arrival',
    weak: 'from',
    names: 'period begin|statement start|statement start date|statement from|service start',
  },
  {
    id: 'period_end',
    kind: 'date',
    labels:
      'period end|period to|period end date|end of period|statement period end|billing period end|end date|to date|date to|ending date|closing date|zeitraum bis|ende|enddatum|bis|date de fin|fin de période|au|fecha de fin|fecha fin|hasta|fine periodo|data fine|al|einddatum|periode tot|data de fim|data fim|fim do período|até|check out|check out date|departure',
    weak: 'to|through|until',
    names: 'statement end|statement end date|statement to|service end',
  },
  {
    id: 'payment_terms',
    kind: 'text',
    weak: 'payment|pagamento|pago|betaling|zahlung|paiement|mode de règlement|règlement|zahlungsart|zahlungsweise|payment method|forma de pagamento|betaalwijze|modalità pagamento|forma pago|condition|conditions|konditionen',
    labels:
      'net terms|zahlbar|zahlungsfrist|payment conditions|condition de paiement|modalités|betalingsconditie|betalingsafspraak|condición de pago|condição de pagamento|condizione di pagamento|payment terms|terms of payment|terms|payment condition|payment conditions|zahlungsbedingungen|zahlungsbedingung|zahlungskonditionen|zahlungsziel|conditions de paiement|conditions de règlement|modalités de paiement|condiciones de pago|términos de pago|forma de pago|condizioni di pagamento|termini di pagamento|modalità di pagamento|betalingsvoorwaarden|betalingstermijn|betaaltermijn|betalingsconditie|condições de pagamento|termos de pagamento|prazo de pagamento',
  },
  {
    id: 'payment_method',
    kind: 'text',
    labels:
      'payment method|method of payment|payment type|payment mode|mode of payment|paid by|paid with|paid via|pay method|tender|tender type|zahlungsart|zahlart|zahlungsweise|zahlungsmittel|zahlungsmethode|bezahlt mit|mode de paiement|moyen de paiement|mode de règlement|règlement par|réglé par|payé par|forma de pago|método de pago|medio de pago|pagado con|metodo di pagamento|modalità di pagamento|pagamento con|tipo pagamento|pagato con|betaalwijze|betaalmethode|betaald met|betaling|betalingswijze|forma de pagamento|método de pagamento|meio de pagamento|pago com|pagamento',
    weak: 'payment|zahlung|paiement|pago',
  },
  {
    id: 'document_type',
    kind: 'enum',
    labels: 'document type|type of document|dokumenttyp|type de document|tipo de documento|tipo documento|documenttype',
    names: 'doc type|document kind|document class|category|type',
  },
  { id: 'language', kind: 'enum', labels: 'language|sprache|langue|idioma|lingua|taal' },
  {
    id: 'incoterm',
    kind: 'text',
    labels:
      'f o b|fob|fob point|versandbedingungen|shipping|expedição|spedizione|porte|condiciones de entrega|condizioni di resa|entrega por|condições de entrega|modo de envio|transporte por|livraison par|leveringswijze|delivery|shipping|freight terms|transport|versand|versandart|expédition|envío|trasporto|spedizione|levering via|verzendwijze|modo de entrega|forma de entrega|lieferung per|transporte|porto|entrega por|portes|incoterm|incoterms|delivery terms|terms of delivery|shipping terms|lieferbedingung|lieferbedingungen|conditions de livraison|condiciones de entrega|condizioni di consegna|termini di consegna|resa|leveringsvoorwaarden|levercondities|leveringsconditie|condições de entrega',
  },
  {
    id: 'shipping_method',
    kind: 'text',
    labels:
      'shipping method|ship via|shipped via|delivery method|shipment method|carrier|versandart|lieferart|versand per|mode de livraison|mode d expédition|transporteur|método de envío|forma de envío|transportista|metodo di spedizione|spedizione tramite|vettore|verzendwijze|verzendmethode|método de envio|transportadora',
  },
  {
    id: 'notes',
    kind: 'text',
    labels:
      'notes|note|remarks|remark|comments|comment|bemerkung|bemerkungen|anmerkung|anmerkungen|hinweis|hinweise|notiz|remarque|remarques|commentaire|commentaires|observaciones|notas|observação|observações|osservazioni|annotazioni|opmerking|opmerkingen|memo|narration',
    names: 'narration',
  },
  { id: 'time', kind: 'time', labels: 'time|uhrzeit|zeit|heure|hora|ora|tijd' },
]
