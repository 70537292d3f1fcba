import type { Concept } from './concept.ts'

const names = (prefixes: string, ends: string): string =>
  prefixes
    .split('|')
    .flatMap((prefix) => ends.split('|').map((end) => (end === '' ? prefix : `${prefix} ${end}`)))
    .join('|')

const vendorWords =
  'vendor|supplier|seller|merchant|company|store|shop|issuer|biller|sender|from|provider|payee|bank|retailer|business|restaurant|service provider|creditor'
const customerWords =
  'customer|client|buyer|bill to|billing|billed to|recipient|purchaser|payer|sold to|invoice to|account holder|debtor|consumer|guest'
const recipientWords = 'ship to|shipping|delivery|deliver to|delivered to|consignee|receiver'

/** Labels that start a block of name and address. */
export const vendorBlockLabels =
  'kreditor|lieferfirma|order to|bestellung an|bestellt bei|supplied by|supply from|crediteur|lieferantenadresse|lieferantenanschrift|dirección del proveedor|adresse du fournisseur|indirizzo fornitore|adres leverancier|morada do fornecedor|supplier name|vendor name|vendor|supplier|seller|sold by|merchant|provider|service provider|payable to|pay to|remit to|lieferant|verkäufer|anbieter|fournisseur|vendeur|prestataire|proveedor|vendedor|fornitore|venditore|cedente|leverancier|verkoper|fornecedor|prestador|cedente prestatore|supplier details|vendor details|seller details|spett le fornitore|spettabile fornitore|auftragnehmer|prestador de servicios|contractor|supplier address|vendor address'
export const customerBlockLabels =
  'lautend auf|au nom de|held by|in the name of|account in the name of|name of account|t n v|ten name van|rekening van|rekening op naam van|inhaber|inhaberin|konto von|kontobezeichnung|depot kontoinhaber|a nombre de|em nome de|in nome di|a nome di|conto intestato a|account title|account owner name|titulares|titulaires|tenaamstelling|invoice recipient|charge to|account of|account owner|account name|holder|kontoinhaberin|titulaire compte|titolare|titolare del conto|titolare conto|rekeninghouder naam|titular conta|billing details|rechnung geht an|facturation|facturación|fatturazione|facturatie|faturação|buyer name|purchased by|bill to|billed to|bill-to|billing to|invoice to|invoiced to|sold to|customer|client|buyer|purchaser|billing address|invoice address|customer details|client details|account holder|rechnungsempfänger|kunde|käufer|rechnungsadresse|rechnung an|rechnungsanschrift|besteller|auftraggeber|kontoinhaber|kundin|facturé à|facturer à|client facturé|adresse de facturation|acheteur|titulaire|titulaire du compte|facturar a|facturado a|cliente|comprador|dirección de facturación|datos del cliente|titular|titular de la cuenta|fatturato a|fatturare a|intestatario|intestato a|intestata a|indirizzo di fatturazione|acquirente|cessionario|committente|cessionario committente|gefactureerd aan|factuur aan|klant|koper|factuuradres|afnemer|rekeninghouder|opdrachtgever|faturar a|faturado a|cobrar a|endereço de faturação|endereço de faturamento|adquirente|titular da conta|ordered by|requested by|patient|tenant|guest|name of customer|buyer details'
export const recipientBlockLabels =
  'destination|baustelle|lieferstelle|bauvorhaben|expédié à|expédier à|geliefert an|inviare a|destinazione della merce|consegnare presso|te leveren aan|morada de entrega|morada de envio|destinazione merce|lieferort|ort der lieferung|deliver goods to|delivery location|delivery point|point of delivery|punto de entrega|adresse livraison|luogo di destinazione|afleverlocatie|lieferung|livraison|levering|destino|warenanlieferung|anlieferung|goods to|delivery site|site|ship to|shipped to|ship-to|deliver to|delivered to|delivery to|shipping address|delivery address|consignee|lieferadresse|lieferanschrift|lieferung an|liefern an|warenempfänger|versand an|versandadresse|livrer à|livré à|adresse de livraison|lieu de livraison|enviar a|entregar a|entregar en|dirección de envío|dirección de entrega|lugar de entrega|spedire a|spedito a|consegnare a|indirizzo di spedizione|indirizzo di consegna|luogo di consegna|destinazione|verzenden naar|verzonden aan|leveren aan|afleveradres|leveringsadres|bezorgadres|verzendadres|afleveren aan|endereço de entrega|endereço de envio|local de entrega|enviar para|entregar em|shipping to'

/** Labels of the issuer of the document, whichever party that is. */
export const issuerBlockLabels =
  'from|issued by|bill from|billed from|invoice from|rechnungssteller|aussteller|absender|von|émetteur|de|emisor|mittente|emittente|afzender|van|emitente|sender|ordered by|company|our company|entreprise|société|empresa|azienda|bedrijf|issuer|issued from'

/** Labels of the addressee of the document, whichever party that is. */
export const addresseeBlockLabels =
  'to|for|prepared for|attention|empfänger|an|destinataire|à|à l attention de|destinatario|para|aan|destinatário|exmo|exmos senhores|spettabile|spett le|a|addressee|sent to|exmo s sr s|exmos srs|exmo sr|exma sra|messrs'

/** Parties and their data. */
export const partyConcepts: readonly Concept[] = [
  {
    id: 'vendor_name',
    kind: 'name',
    party: 'vendor',
    labels:
      'vendor name|supplier name|seller name|merchant name|company name|store name|name of supplier|lieferantenname|firmenname|nom du fournisseur|nombre del proveedor|nome fornitore|naam leverancier|nome do fornecedor|business name',
    names: `${names(vendorWords, '|name|company|company name|business name|legal name')}|organization|organisation|firm|issued by|sold by|bank name|lieferant|fournisseur|proveedor|fornitore|leverancier|fornecedor|verkäufer|vendeur|vendedor|venditore|bill from`,
  },
  {
    id: 'vendor_address',
    kind: 'address',
    party: 'vendor',
    labels:
      'vendor address|supplier address|seller address|merchant address|company address|store address|business address|registered office',
    names: `${names(vendorWords, 'address|full address|location|postal address|street address')}|address`,
  },
  {
    id: 'customer_name',
    kind: 'name',
    party: 'customer',
    labels:
      'customer name|client name|buyer name|bill to name|account name|account holder name|patient name|guest name|name of customer|kundenname|nom du client|nombre del cliente|nome cliente|nome del cliente|klantnaam|naam klant|nome do cliente',
    weak: 'name',
    names: `${names(customerWords, '|name|company|company name|full name')}|account holder|account owner|kunde|klant|cliente|rechnungsempfänger|destinataire`,
  },
  {
    id: 'customer_address',
    kind: 'address',
    party: 'customer',
    labels:
      'billing address|invoice address|bill to address|customer address|client address|rechnungsadresse|rechnungsanschrift|adresse de facturation|dirección de facturación|indirizzo di fatturazione|factuuradres|endereço de faturação',
    names: names(customerWords, 'address|full address|postal address|street address'),
  },
  {
    id: 'recipient_name',
    kind: 'name',
    party: 'recipient',
    labels: 'ship to name|recipient name|consignee name|deliver to name',
    names: names(recipientWords, '|name|company|company name'),
  },
  {
    id: 'recipient_address',
    kind: 'address',
    party: 'recipient',
    labels:
      'shipping address|delivery address|ship to address|lieferadresse|lieferanschrift|adresse de livraison|dirección de envío|dirección de entrega|indirizzo di spedizione|indirizzo di consegna|afleveradres|bezorgadres|leveringsadres|endereço de entrega|endereço de envio',
    names: names(recipientWords, 'address|full address|location'),
  },
  {
    id: 'vendor_email',
    kind: 'email',
    party: 'vendor',
    labels:
      'email|e mail|email address|mail|e mail adresse|correo|correo electrónico|courriel|adresse e mail|posta elettronica|endereço de e mail|contact email',
    names: `${names(vendorWords, 'email|email address|e mail|mail|contact email')}|email|email address|contact email|mail`,
  },
  {
    id: 'customer_email',
    kind: 'email',
    party: 'customer',
    labels: 'customer email|client email',
    names: names(customerWords, 'email|email address|e mail|contact email'),
  },
  {
    id: 'vendor_phone',
    kind: 'phone',
    party: 'vendor',
    labels:
      'phone|phone number|phone no|telephone|telephone no|telephone number|tel|tel no|tel nr|ph|t|tfno|tlf|tlfn|tph|call us|telefon|telefonnummer|fon|téléphone|tél|teléfono|telefono|telefoon|telefoonnummer|telefone|contact number|contact no|hotline',
    names: `${names(vendorWords, 'phone|phone number|telephone|tel|contact number')}|phone|phone number|telephone|tel|contact number`,
  },
  {
    id: 'customer_phone',
    kind: 'phone',
    party: 'customer',
    labels: 'customer phone|client phone',
    names: names(customerWords, 'phone|phone number|telephone|tel'),
  },
  {
    id: 'mobile',
    kind: 'phone',
    labels:
      'mobile|mobile no|mobile number|mobile phone|cell|cell phone|hp|h p|handy|mobil|mobiltelefon|portable|móvil|cellulare|cell|mobiel|telemóvel|celular',
  },
  { id: 'fax', kind: 'phone', labels: 'fax|fax no|fax number|fax nr|telefax|télécopie' },
  {
    id: 'website',
    kind: 'url',
    labels: 'website|web|web site|homepage|url|internet|site web|sitio web|sito web|sito|página web|site|www',
    names: `${names(vendorWords, 'website|url|web')}|web address`,
  },
  {
    id: 'vendor_vat',
    kind: 'vat',
    party: 'vendor',
    labels:
      'vat number|vat no|vat id|vat reg no|vat registration|vat registration number|vat registration no|vat reg|vat|vat #|vat nr|ust id nr|ust idnr|ust id|ustid|umsatzsteuer id|umsatzsteuer identifikationsnummer|umsatzsteuer id nr|uid|uid nr|uid nummer|mwst nr|n° tva|no tva|tva intracommunautaire|n° tva intracommunautaire|n° de tva|numéro de tva|numéro tva|tva intra|tva|tva n°|nif|cif|nif iva|nif cif|cif nif|número de iva|nº iva|n iva|partita iva|p iva|p iva n|piva|p iva c f|codice iva|btw nummer|btw nr|btw|btw id|btw identificatienummer|btw id nr|btwnummer|nº de contribuinte|contribuinte|número de contribuinte|nipc|cnpj|gstin|gstin no|gst no|gst number|gst reg no|gst id|gst id no|gst registration no|gst #|abn|tax id|tax id no|tax number|tax no|tax registration number|tax reg no|tax identification number|ein|tin|steuernummer|steuer nr|st nr|numéro fiscal|número fiscal|codice fiscale|sst id|sst no|sst reg no|sst id no',
    weak: 'gst|gst id',
    names: `${names(vendorWords, 'vat|vat number|vat id|vat no|tax id|tax number|tax no|gst number|gstin|gst no|vat reg no|tax registration number')}|vat|vat number|vat id|tax identifier|gst registration number|tax id number`,
  },
  {
    id: 'customer_vat',
    kind: 'vat',
    party: 'customer',
    labels:
      'customer vat|customer vat number|customer vat no|customer vat id|your vat number|your vat no|client vat|buyer vat|customer tax id|your tax id|ihre ust idnr|ihre ust id|ihre ust id nr|ust idnr kunde|votre n° tva|tva client|n° tva client|nif cliente|nif del cliente|cif cliente|p iva cliente|partita iva cliente|btw nummer klant|uw btw nummer|klant btw|nif do cliente|contribuinte cliente',
    names: names(customerWords, 'vat|vat number|vat id|vat no|tax id|tax number|tax no|gst number|gstin'),
  },
  {
    id: 'registration_number',
    kind: 'id',
    labels:
      'company registration number|company registration no|company registration|company reg no|company no|company number|co reg no|co reg|co no|reg no|registration no|registration number|business registration no|roc no|roc|crn|cin|handelsregister|handelsregisternummer|hrb|hr b|hra|registergericht|siret|siren|rcs|n° siret|registro mercantil|rea|numero rea|kvk|kvk nummer|kvk nr|coc|coc number|chamber of commerce|brn',
    names: 'company registration|registration|company id|business registration number',
  },
  {
    id: 'contact_name',
    kind: 'name',
    weak: 'buyer|einkäufer|einkäuferin|acheteur|comprador|compratore|inkoper|purchaser|purchasing contact|sachbearbeiter|ordered by|besteller|buyer name|responsabile|responsable|verantwortlich|persona di contatto|referente acquisti|interlocutor',
    labels:
      'contact|contact person|contact name|attn|attention|att|contact details|ansprechpartner|ansprechpartnerin|z hd|zu händen|kontakt|sachbearbeiter|à l attention de|contact commercial|interlocuteur|contacto|persona de contacto|a la atención de|atención|referente|c a|contatto|persona di riferimento|contactpersoon|t a v|ter attentie van|pessoa de contacto|contato|a c|ao cuidado de|buyer contact|requested by|requisitioner|sales person|salesperson|sales rep|salesman',
  },
  {
    id: 'cashier',
    kind: 'name',
    labels:
      'cashier|cashier name|served by|operator|server|clerk|your server|staff|sales assistant|kassierer|kassierer in|kassiererin|kasse|bediener|bedient von|es bediente sie|caissier|caissière|hôte|hôtesse|servi par|vendeur|cajero|cajera|le atendió|atendido por|cassiere|cassiera|operatore|servito da|kassier|kassamedewerker|bediend door|u bent geholpen door|medewerker|operador|operadora|caixa|atendido por|funcionário',
  },
  {
    id: 'iban',
    kind: 'iban',
    labels: 'iban|iban no|iban number|iban nr|bank account iban',
    names: 'bank iban|vendor iban|payment iban|account iban',
  },
  {
    id: 'bic',
    kind: 'id',
    labels: 'bic|swift|bic swift|swift bic|swift code|bic code|bic swift code',
    names: 'bank bic|bank swift',
  },
  {
    id: 'bank_name',
    kind: 'name',
    labels:
      'bank|bank name|name of bank|kreditinstitut|bankverbindung|banque|nom de la banque|banco|nombre del banco|banca|nome banca|istituto|naam bank|nome do banco|beneficiary bank',
  },
  {
    id: 'account_number',
    kind: 'id',
    labels:
      'cpte|cpte no|no de cpte|a c|c c n|c c no|ccc|conta d o|conta à ordem|cuenta corriente|ktonr|account number|account no|account #|account|acct no|acct number|acct #|acct|a c no|a c number|bank account|bank account no|bank account number|kontonummer|konto nr|kontonr|konto|kto nr|numéro de compte|n° de compte|compte n°|n° compte|compte|no de compte|número de cuenta|nº de cuenta|cuenta nº|nº cuenta|n° de cuenta|cuenta|numero conto|numero di conto|conto n|conto|conto corrente|n conto|conto corrente n|rekeningnummer|rekening|rekeningnr|rekening nr|bankrekening|número da conta|nº da conta|conta nº|conta|nº conta|número de conta|conta n°',
    names: 'account num|bank account|account',
  },
  {
    id: 'sort_code',
    kind: 'id',
    labels: 'sort code|routing number|routing no|aba|bsb|blz|bankleitzahl|ifsc|ifsc code|code banque|bank code',
  },
]
