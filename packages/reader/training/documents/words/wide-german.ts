import type { Labels } from './lexicon.ts'

/** More wordings, only for the train part. */
export const wideGerman: Partial<Labels> = {
  invoice: 'Ihre Rechnung|Schlussrechnung|Warenrechnung|Rechnung / Lieferschein|Honorarnote|Rechnungsbeleg',
  receipt: 'Bon|Kassenzettel|Verkaufsbeleg|Barverkauf|Rechnung / Bon|Quittungsbeleg',
  order: 'Bestellschein|Ihr Auftrag|Bestellauftrag|Auftrag|Materialbestellung|Abrufbestellung',
  statement: 'Auszug|Kontoübersicht|Girokonto-Auszug|Kontoauszug / Rechnungsabschluss|Umsatzübersicht',
  invoiceNumber: 'RE-Nr.|Re.-Nr.|Rechnung|Beleg-Nr.|Belegnummer|Rechnungs-Nummer|Rechn.-Nr.|RgNr|Fakturanummer|R.-Nr.',
  invoiceDate:
    'Rechn.-Datum|Rechnung vom|Belegdatum|Rg.-Datum|vom|Re.-Datum|Fakturadatum|Rechnungsdatum / Leistungsdatum|Ausgestellt am',
  dueDate:
    'Fällig|zahlbar bis zum|Zahlungsfrist|Zahlungsziel bis|Bitte zahlen bis|Fälligkeit am|Zahlung fällig am|spätestens zu zahlen',
  purchaseOrder:
    'Ihre Bestellnummer|Ihre Best.-Nr.|Kundenbestellung|Best.-Nr.|Ihr Auftrag Nr.|Bestellung|Ihre Referenz|Auftrags-Nr. Kunde',
  customerNumber: 'Kunden-Nummer|Kd-Nr|Debitor|Debitoren-Nr.|Ihre Kundennummer|KdNr.|Kundenkonto',
  currency: 'Belegwährung|Währungseinheit|Whg.|Angaben in',
  terms: 'Zahlungskonditionen|Zahlungsart|Zahlungsweise|Zahlungsvereinbarung|Konditionen',
  reference: 'Bauvorhaben|Angebot Nr.|Kostenstelle|Unsere Referenz|Objekt|Vorgang|Ihr Zeichen',
  deliveryNote: 'LS-Nr.|Lieferscheinnummer|Lfs.-Nr.|Paket-Nr.|Warenausgang',
  billTo: 'Auftraggeber|Leistungsempfänger|An|Käufer|Firma|Rechnung geht an|Kundenanschrift|Empfänger|Regulierer',
  shipTo: 'Warenempfänger|Lieferort|Versandadresse|Versandanschrift|Anlieferadresse|Lieferung erfolgt an|Baustelle',
  from: 'Rechnungssteller|Von|Leistungserbringer|Aussteller|Verkäufer / Aussteller',
  attention: 'zu Hdn.|z.H.|Ansprechpartner:|Abteilung Einkauf,',
  vatId: 'USt-IdNr|UStID|Umsatzsteuer-Identifikationsnummer|USt.-ID|Steuernummer / USt-IdNr.|Ust-Id|UID',
  phone: 'Tel.-Nr.|Ruf|Telefonnummer|Durchwahl',
  fax: 'Faxnummer|Fax-Nr.',
  email: 'E-Mail-Adresse|eMail|Mailadresse',
  contact:
    'Ihr Ansprechpartner|Sachbearbeiter/in|zuständig|Rückfragen an|Einkauf|Besteller (Name)|Disponent|Kontaktperson|Ihr Kontakt',
  position: 'Posit.|lfd. Nr.|Lfd.|Zeile|Pos.-Nr.|Position',
  sku: 'Artikel|Art-Nr|Material-Nr.|Mat.-Nr.|Bestell-Nr.|Artikelcode|Teilenummer|Sachnummer|EAN / Art.-Nr.|Produktnummer',
  description:
    'Leistungsbeschreibung|Warenbezeichnung|Artikelbeschreibung|Text|Leistung / Artikel|Produkt|Tätigkeit|Position / Leistung|Gegenstand',
  quantity: 'Stück|Mge|Anz.|Std./Menge|Liefermenge|Bestellmenge|Stückzahl|Menge / Einheit',
  unit: 'Mengeneinheit|EH|Verp.|VE|Maßeinheit|pro',
  unitPrice:
    'Stückpreis|Einh.-Preis|Einzelpr.|Preis/Einheit|Preis je ME|E.-Preis|Einzel €|Nettopreis|Preis pro Stück|Einzelbetrag|Listenpreis',
  amount:
    'Positionswert|Gesamtbetrag netto|G-Preis|Netto|Wert|Positionsbetrag|Gesamt €|Nettosumme|Gesamtpr.|Zeilensumme|Nettowert',
  movementAmount: 'Umsatzbetrag|Betrag Soll/Haben|Buchungsbetrag|Wert in',
  taxColumn: 'MwSt-Satz|St.-Satz|Steuer|MwSt %|Steuerschl.',
  subtotal:
    'Warenwert|Summe Positionen|Nettosumme|Gesamtnetto|Warenwert netto|Rechnungsbetrag netto|Summe|Nettobetrag gesamt|Positionssumme',
  discount: 'Sonderrabatt|Kundenrabatt|Preisnachlass|Rabattbetrag|Skonto|./. Rabatt|Mengenrabatt|Abschlag',
  shipping:
    'Porto|Porto und Verpackung|Frachtkosten|Versandkostenanteil|Transportkosten|Lieferpauschale|Verpackung und Versand|Frachtpauschale',
  tax: 'MwSt|Mehrwertsteuerbetrag|Steuerbetrag|gesetzl. MwSt.|zuzüglich Umsatzsteuer|Steuer|USt-Betrag|+ MwSt.',
  total:
    'Bruttobetrag|Zahlbetrag|Rechnungsendbetrag|Gesamtbetrag brutto|Rechnungssumme|Gesamt brutto|Zu zahlender Betrag|Zahlungsbetrag|Summe inkl. MwSt.|Fälliger Betrag|Gesamt inkl. USt.',
  paid: 'Anzahlung vom Auftrag|geleistete Zahlung|Abschlagszahlung|erhaltene Anzahlung|bereits erhalten|./. Anzahlung',
  balanceDue: 'Restforderung|verbleibender Betrag|Restzahlung|offen|noch offen|Restsumme',
  orderTotal:
    'Bestellwert|Auftragssumme|Auftragswert|Bestellwert gesamt|Gesamtwert|Nettobestellwert|Bestellbetrag|Endsumme',
  carried: 'Zwischensumme / Übertrag|zu übertragen|Übertrag auf Folgeseite|Zwischenübertrag',
  bank: 'Geldinstitut|Hausbank|Bankname|Unsere Bank|Institut',
  accountNumber: 'Kto.-Nr.|Konto Nr.|Kontonr.|Ihr Konto|Konto-Nummer|Ktonr.',
  iban: 'IBAN-Nr.|Ihre IBAN',
  bic: 'BIC (SWIFT)|Swift|BIC-Code',
  orderNumber:
    'Bestellung|Best.-Nr.|Bestell-Nummer|Unsere Bestellnummer|Auftrags-Nr.|Einkaufsbeleg|Beleg|Bestellschein-Nr.|Abruf-Nr.|PO-Nr.',
  orderDate: 'Bestelltag|Bestellung vom|Auftragsdatum|Belegdatum|erstellt am|vom|Ausstellungsdatum|Tag der Bestellung',
  deliveryDate:
    'Lieferzeit|Liefertag|Anlieferung am|Lieferung spätestens|gewünschter Liefertermin|Eintreffdatum|Termin|zu liefern bis|Wunschliefertermin|Lieferfrist',
  buyer:
    'Bestellt von|Auftraggeber (Rechnungsanschrift)|Rechnungsanschrift|Kunde|Unternehmen|Einkäufer (Firma)|Rechnung an',
  supplier: 'An Lieferant|Lieferantenanschrift|Bestellung an|Kreditor|Lieferfirma|Verkäufer|Firma',
  shippingTerms:
    'Lieferkonditionen|Versandbedingungen|Incoterms 2020|Lieferart|Frankatur|Frachtbedingung|Lieferung|Versand',
  signature: 'Datum / Unterschrift|Stempel, Unterschrift|Besteller|gez.',
  receiptNumber:
    'Bonnummer|Belegnr.|TA-Nr.|Rg.-Nr.|Vorgang|Bon|Kassenbon Nr.|Transaktion|Rechnungs-Nr.|Beleg Nr|Quittung Nr.',
  cashier: 'Bedienung|Verkäufer|Mitarbeiter|Sie wurden bedient von|Service|Kass.|Bed.',
  till: 'Kassen-Nr.|Platz|Zapfsäule|Markt/Kasse|Kasse Nr.|Stuhl',
  date: 'Buchungstag|Buchung|Dat.|Tag|Buch.-Tag',
  time: 'um|Zeitpunkt',
  receiptItem: 'Ware|Leistung|Produkt|Position|Beschreibung',
  receiptQuantity: 'Stk|St.|Mg.|x',
  receiptPrice: 'Einzelpreis|EP|á|je',
  receiptAmount: 'GP|Endpreis|Gesamtpreis',
  receiptSubtotal: 'Zwischens.|Nettosumme|ZWS|SUMME NETTO|Warensumme',
  receiptTotal:
    'Gesamtsumme|Endsumme|Zu zahlen|SUMME EUR|Gesamt-Summe|Rechnungsbetrag|Endbetrag|Zahlbetrag|BRUTTO GESAMT|Summe zu zahlen',
  includedTax: 'MwSt. enthalten|incl. MwSt|darin enthalten MwSt.|Enthaltene MwSt.|Steuer|USt. enthalten|MwSt-Betrag',
  cash: 'BARZAHLUNG|Bargeld|Erhalten|Gegeben bar|Zahlung bar|Bar erhalten|Bar gegeben',
  change: 'Wechselgeld|ZURÜCK|Rückgabe|Retour|Rück|Bar zurück',
  card: 'girocard kontaktlos|EC-Cash|Maestro|Debitkarte|VISA Debit|KARTE|Zahlung mit Karte|EC-KARTE|Kredit-/Debitkarte',
  rounding: 'Rundungsbetrag|gerundet|Auf-/Abrundung|Rundungsausgleich|5-Rp-Rundung',
  itemCount: 'Anzahl|Teile|Stückzahl|Anzahl Positionen',
  statementNumber: 'Auszug-Nr.|Blatt|Kontoauszug Nr.|Auszug/Jahr|Nummer|Auszugs-Nr.',
  statementDate: 'Stand|Auszug vom|Erstellungsdatum|Druckdatum|Stichtag|Kontoauszug vom|Ausstellungsdatum',
  period: 'Umsatzzeitraum|Auszug für den Zeitraum|Abrechnungszeitraum|vom – bis|Berichtszeitraum|Buchungen vom',
  holder: 'Konto von|Kontobezeichnung|Kunde|Herr/Frau|Kontoinhaberin|lautend auf|Depot-/Kontoinhaber',
  opening:
    'Saldo alt|Startsaldo|Anfangskontostand|letzter Kontostand|Kontostand am|Vortrag|Saldo zu Beginn|alter Kontostand vom',
  closing:
    'Saldo neu|aktueller Kontostand|Kontostand per|Abschlusssaldo|Schlussbestand|Endkontostand|neuer Kontostand vom|Saldo zum Ende',
  credits: 'Gesamtumsatz Haben|Summe Haben|Zugänge|Eingänge gesamt|Summe der Gutschriften|Einnahmen',
  debits: 'Gesamtumsatz Soll|Summe Soll|Abgänge|Ausgänge gesamt|Summe der Belastungen|Ausgaben',
  valueDate: 'Wertdatum|Val.|Valutadatum|Wertst.',
  details:
    'Buchungsdetails|Umsatzart / Text|Empfänger / Verwendungszweck|Buchung|Erläuterung|Beschreibung|Buchungsinformation',
  balance: 'Saldo nach Buchung|neuer Stand|Kontosaldo|Zwischensaldo',
  moneyOut: 'zu Ihren Lasten|Belastungen|Auszahlung|Betrag Soll|Abgang|Ausgaben',
  moneyIn: 'zu Ihren Gunsten|Gutschriften|Einzahlung|Betrag Haben|Zugang|Einnahmen',
  page: 'Blatt|S.',
}
