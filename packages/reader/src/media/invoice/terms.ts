import type { InvoiceGroup } from './invoice-data.ts'

/** Types of values of business terms. */
export type TermKind = 'text' | 'id' | 'code' | 'date' | 'amount' | 'number' | 'percent'

/** The owner of a business term, for terms with several owners. */
export type TermOwner =
  | 'seller'
  | 'buyer'
  | 'payee'
  | 'representative'
  | 'delivery'
  | 'invoice'
  | 'line'
  | 'vat'
  | 'allowance'
  | 'charge'
  | 'attachment'
  | 'preceding'

/** A business term of EN 16931-1, and its places in the two syntaxes of EN 16931-3. */
export interface InvoiceTerm {
  readonly id: string
  readonly name: string
  readonly kind: TermKind
  readonly owner: TermOwner
  readonly group?: InvoiceGroup
  /**
   * Paths from the root or from the element of the group, separated by ` | `; the first that selects something counts. Steps without prefix
   * are `ram:` in CII; in UBL the last is `cbc:` and the others are `cac:`. Empty: the syntax has no such element.
   */
  readonly cii: string
  readonly ubl: string
  /** Field names with this meaning, in words of `invoice-words.ts`; forms separated by `|`, the plainest first. */
  readonly says: string
}

const header = 'rsm:SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement'
const delivery = 'rsm:SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery'
const settlement = 'rsm:SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement'
const sums = `${settlement}/SpecifiedTradeSettlementHeaderMonetarySummation`
const day = 'udt:DateTimeString'

/** The places of the elements of a repeated group. */
export const groupPaths: Readonly<Record<InvoiceGroup, { readonly cii: string; readonly ubl: string }>> = {
  'BG-1': { cii: 'rsm:ExchangedDocument/IncludedNote', ubl: 'cbc:Note' },
  'BG-3': { cii: `${settlement}/InvoiceReferencedDocument`, ubl: 'BillingReference' },
  'BG-16': { cii: `${settlement}/SpecifiedTradeSettlementPaymentMeans`, ubl: 'PaymentMeans' },
  'BG-20': {
    cii: `${settlement}/SpecifiedTradeAllowanceCharge[ChargeIndicator/udt:Indicator=false]`,
    ubl: 'AllowanceCharge[ChargeIndicator=false]',
  },
  'BG-21': {
    cii: `${settlement}/SpecifiedTradeAllowanceCharge[ChargeIndicator/udt:Indicator=true]`,
    ubl: 'AllowanceCharge[ChargeIndicator=true]',
  },
  'BG-23': { cii: `${settlement}/ApplicableTradeTax`, ubl: 'TaxTotal/TaxSubtotal' },
  'BG-24': {
    cii: `${header}/AdditionalReferencedDocument[TypeCode=916]`,
    ubl: 'AdditionalDocumentReference[DocumentTypeCode!=130]',
  },
  'BG-25': {
    cii: 'rsm:SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem',
    ubl: 'InvoiceLine | CreditNoteLine',
  },
}

type Row = readonly [id: string, name: string, kind: TermKind, cii: string, ubl: string, says: string]

const terms = (owner: TermOwner, rows: readonly Row[], group?: InvoiceGroup): InvoiceTerm[] =>
  rows.map(([id, name, kind, cii, ubl, says]) => ({ id, name, kind, owner, cii, ubl, says, ...(group && { group }) }))

/** The business terms of an address in the order of the standard: three lines, town, postcode, region, country. */
export interface AddressTerms {
  readonly lines: readonly [string, string, string]
  readonly city: string
  readonly postcode: string
  readonly region: string
  readonly country: string
}

const addressRows = ({ lines, city, postcode, region, country }: AddressTerms, cii: string, ubl: string): Row[] => [
  [lines[0], 'Address line 1', 'text', `${cii}/LineOne`, `${ubl}/StreetName`, 'street|address line'],
  [lines[1], 'Address line 2', 'text', `${cii}/LineTwo`, `${ubl}/AdditionalStreetName`, 'second address line'],
  [lines[2], 'Address line 3', 'text', `${cii}/LineThree`, `${ubl}/AddressLine/Line`, 'third address line'],
  [city, 'City', 'text', `${cii}/CityName`, `${ubl}/CityName`, 'city|city name'],
  [postcode, 'Post code', 'id', `${cii}/PostcodeCode`, `${ubl}/PostalZone`, 'postcode|postcode code'],
  [region, 'Country subdivision', 'text', `${cii}/CountrySubDivisionName`, `${ubl}/CountrySubentity`, 'region'],
  [
    country,
    'Country code',
    'code',
    `${cii}/CountryID`,
    `${ubl}/Country/IdentificationCode`,
    'country|country code|country no',
  ],
]

/** Addresses by their owner. */
export const addressTerms: Readonly<Partial<Record<TermOwner, AddressTerms>>> = {
  seller: { lines: ['BT-35', 'BT-36', 'BT-162'], city: 'BT-37', postcode: 'BT-38', region: 'BT-39', country: 'BT-40' },
  buyer: { lines: ['BT-50', 'BT-51', 'BT-163'], city: 'BT-52', postcode: 'BT-53', region: 'BT-54', country: 'BT-55' },
  representative: {
    lines: ['BT-64', 'BT-65', 'BT-164'],
    city: 'BT-66',
    postcode: 'BT-67',
    region: 'BT-68',
    country: 'BT-69',
  },
  delivery: {
    lines: ['BT-75', 'BT-76', 'BT-165'],
    city: 'BT-77',
    postcode: 'BT-78',
    region: 'BT-79',
    country: 'BT-80',
  },
}

const addressOf = (owner: TermOwner, cii: string, ubl: string): InvoiceTerm[] => {
  const address = addressTerms[owner]
  return address === undefined ? [] : terms(owner, addressRows(address, cii, ubl))
}

const contactRows = (ids: readonly [string, string, string], cii: string, ubl: string): Row[] => [
  [ids[0], 'Contact point', 'text', `${cii}/PersonName | ${cii}/DepartmentName`, `${ubl}/Name`, 'contact|contact name'],
  [
    ids[1],
    'Contact telephone number',
    'id',
    `${cii}/TelephoneUniversalCommunication/CompleteNumber`,
    `${ubl}/Telephone`,
    'phone|phone no|contact phone',
  ],
  [
    ids[2],
    'Contact email address',
    'id',
    `${cii}/EmailURIUniversalCommunication/URIID`,
    `${ubl}/ElectronicMail`,
    'email|contact email',
  ],
]

const seller = `${header}/SellerTradeParty`
const sellerUbl = 'AccountingSupplierParty/Party'
const buyer = `${header}/BuyerTradeParty`
const buyerUbl = 'AccountingCustomerParty/Party'
const representative = `${header}/SellerTaxRepresentativeTradeParty`
const payee = `${settlement}/PayeeTradeParty`
const shipTo = `${delivery}/ShipToTradeParty`
const vatUbl = 'PartyTaxScheme[TaxScheme/ID=VAT]/CompanyID'

const allowanceRows = (ids: readonly string[], own: string): Row[] => {
  const [amount = '', base = '', percent = '', category = '', rate = '', reason = '', code = ''] = ids
  return [
    [amount, 'Amount', 'amount', 'ActualAmount', 'Amount', `${own}|${own} amount|${own} net amount|amount`],
    [base, 'Base amount', 'amount', 'BasisAmount', 'BaseAmount', 'base amount|base'],
    [percent, 'Percentage', 'percent', 'CalculationPercent', 'MultiplierFactorNumeric', `rate|${own} rate`],
    [category, 'VAT category code', 'code', 'CategoryTradeTax/CategoryCode', 'TaxCategory/ID', 'tax category'],
    [rate, 'VAT rate', 'percent', 'CategoryTradeTax/RateApplicablePercent', 'TaxCategory/Percent', 'tax rate'],
    [reason, 'Reason', 'text', 'Reason', 'AllowanceChargeReason', `reason|description|${own} description|text`],
    [code, 'Reason code', 'code', 'ReasonCode', 'AllowanceChargeReasonCode', 'reason code|code'],
  ]
}

const lineAgreement = 'SpecifiedLineTradeAgreement'
const netPrice = `${lineAgreement}/NetPriceProductTradePrice`
const grossPrice = `${lineAgreement}/GrossPriceProductTradePrice`
const lineSettlement = 'SpecifiedLineTradeSettlement'
const lineAllowance = `${lineSettlement}/SpecifiedTradeAllowanceCharge[ChargeIndicator/udt:Indicator=false]`
const lineCharge = `${lineSettlement}/SpecifiedTradeAllowanceCharge[ChargeIndicator/udt:Indicator=true]`
const quantityUbl = 'InvoicedQuantity | CreditedQuantity'

/** The supported business terms of EN 16931; without attached files (BT-125). */
// biome-ignore format: a table with a line for each term, or two.
export const invoiceTerms: readonly InvoiceTerm[] = [
  ...terms('invoice', [
    ['BT-1', 'Invoice number', 'id', 'rsm:ExchangedDocument/ID', 'ID', 'invoice no|document no|no|invoice'],
    ['BT-2', 'Invoice issue date', 'date', `rsm:ExchangedDocument/IssueDateTime/${day}`, 'IssueDate',
     'invoice date|issue date|date|document date|invoice issue date|issue'],
    ['BT-3', 'Invoice type code', 'code', 'rsm:ExchangedDocument/TypeCode', 'InvoiceTypeCode | CreditNoteTypeCode',
     'invoice type|document type|type code|invoice type code'],
    ['BT-5', 'Invoice currency code', 'code', `${settlement}/InvoiceCurrencyCode`, 'DocumentCurrencyCode',
     'currency|currency code|invoice currency'],
    ['BT-6', 'VAT accounting currency code', 'code', `${settlement}/TaxCurrencyCode`, 'TaxCurrencyCode',
     'tax currency|accounting currency|tax accounting currency'],
    ['BT-7', 'Value added tax point date', 'date', `${settlement}/ApplicableTradeTax/TaxPointDate/udt:DateString`, 'TaxPointDate',
     'tax date|tax point date'],
    ['BT-9', 'Payment due date', 'date', `${settlement}/SpecifiedTradePaymentTerms/DueDateDateTime/${day}`,
     'DueDate | PaymentMeans/PaymentDueDate', 'due date|payment due date|due|payment date'],
    ['BT-10', 'Buyer reference', 'id', `${header}/BuyerReference`, 'BuyerReference', 'buyer reference|routing no|routing'],
    ['BT-11', 'Project reference', 'id', `${header}/SpecifiedProcuringProject/ID`, 'ProjectReference/ID',
     'project no|project reference|project'],
    ['BT-12', 'Contract reference', 'id', `${header}/ContractReferencedDocument/IssuerAssignedID`, 'ContractDocumentReference/ID',
     'contract no|contract reference|contract'],
    ['BT-13', 'Purchase order reference', 'id', `${header}/BuyerOrderReferencedDocument/IssuerAssignedID`, 'OrderReference/ID',
     'purchase order no|order no|purchase order|order|purchase order reference|order reference|buyer order no|buyer order'],
    ['BT-14', 'Sales order reference', 'id', `${header}/SellerOrderReferencedDocument/IssuerAssignedID`, 'OrderReference/SalesOrderID',
     'sales order no|sales order|sales order reference|seller order no'],
    ['BT-15', 'Receiving advice reference', 'id', `${delivery}/ReceivingAdviceReferencedDocument/IssuerAssignedID`,
     'ReceiptDocumentReference/ID', 'receiving no|receiving reference|receiving'],
    ['BT-16', 'Despatch advice reference', 'id', `${delivery}/DespatchAdviceReferencedDocument/IssuerAssignedID`,
     'DespatchDocumentReference/ID', 'despatch no|despatch reference|despatch'],
    ['BT-17', 'Tender or lot reference', 'id', `${header}/AdditionalReferencedDocument[TypeCode=50]/IssuerAssignedID`,
     'OriginatorDocumentReference/ID', 'tender|tender no|tender reference'],
    ['BT-18', 'Invoiced object identifier', 'id', `${header}/AdditionalReferencedDocument[TypeCode=130]/IssuerAssignedID`,
     'AdditionalDocumentReference[DocumentTypeCode=130]/ID', 'object no|object|invoice object no'],
    ['BT-19', 'Buyer accounting reference', 'text', `${settlement}/ReceivableSpecifiedTradeAccountingAccount/ID`, 'AccountingCost',
     'accounting reference|accounting|buyer accounting reference'],
    ['BT-20', 'Payment terms', 'text', `${settlement}/SpecifiedTradePaymentTerms/Description`, 'PaymentTerms/Note',
     'payment terms|terms|payment note'],
    ['BT-23', 'Business process type', 'id', 'rsm:ExchangedDocumentContext/BusinessProcessSpecifiedDocumentContextParameter/ID',
     'ProfileID', 'process|process type|process no|profile no'],
    ['BT-24', 'Specification identifier', 'id', 'rsm:ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID',
     'CustomizationID', 'specification|specification no|profile'],
    ['BT-72', 'Actual delivery date', 'date', `${delivery}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/${day}`,
     'Delivery/ActualDeliveryDate', 'delivery date|service date|delivery service date'],
    ['BT-73', 'Invoicing period start date', 'date', `${settlement}/BillingSpecifiedPeriod/StartDateTime/${day}`, 'InvoicePeriod/StartDate',
     'period start|period start date|start date|delivery period start|delivery start date'],
    ['BT-74', 'Invoicing period end date', 'date', `${settlement}/BillingSpecifiedPeriod/EndDateTime/${day}`, 'InvoicePeriod/EndDate',
     'period end|period end date|end date|delivery period end|delivery end date'],
    ['BT-83', 'Remittance information', 'text', `${settlement}/PaymentReference`, 'PaymentMeans/PaymentID',
     'payment reference|remittance|payment no'],
    ['BT-90', 'Bank assigned creditor identifier', 'id', `${settlement}/CreditorReferenceID`,
     `${sellerUbl}/PartyIdentification/ID[@schemeID=SEPA] | PayeeParty/PartyIdentification/ID[@schemeID=SEPA]`, 'creditor no'],
    ['BT-106', 'Sum of invoice line net amounts', 'amount', `${sums}/LineTotalAmount`, 'LegalMonetaryTotal/LineExtensionAmount',
     'line total|line net total|line net amount total|line amount'],
    ['BT-107', 'Sum of allowances on document level', 'amount', `${sums}/AllowanceTotalAmount`, 'LegalMonetaryTotal/AllowanceTotalAmount',
     'allowance total|allowance|allowance amount|allowance total amount'],
    ['BT-108', 'Sum of charges on document level', 'amount', `${sums}/ChargeTotalAmount`, 'LegalMonetaryTotal/ChargeTotalAmount',
     'charge total|charge|charge amount|charge total amount'],
    ['BT-109', 'Invoice total amount without VAT', 'amount', `${sums}/TaxBasisTotalAmount`, 'LegalMonetaryTotal/TaxExclusiveAmount',
     'net total|net amount|net|net total amount|subtotal|taxable amount|taxable total|taxable|taxable total amount'],
    ['BT-110', 'Invoice total VAT amount', 'amount', `${sums}/TaxTotalAmount[@currencyID~$currency]`,
     'TaxTotal/TaxAmount[@currencyID~$currency]', 'tax total|tax amount|tax|tax total amount'],
    ['BT-111', 'Invoice total VAT amount in accounting currency', 'amount', `${sums}/TaxTotalAmount[@currencyID<>$currency]`,
     'TaxTotal/TaxAmount[@currencyID<>$currency]', 'tax total accounting currency|tax amount accounting currency|tax accounting currency'],
    ['BT-112', 'Invoice total amount with VAT', 'amount', `${sums}/GrandTotalAmount`, 'LegalMonetaryTotal/TaxInclusiveAmount',
     'gross total|total|gross amount|gross|total amount|invoice total|invoice amount|gross total amount|amount'],
    ['BT-113', 'Paid amount', 'amount', `${sums}/TotalPrepaidAmount`, 'LegalMonetaryTotal/PrepaidAmount',
     'paid amount|paid|paid total|paid total amount'],
    ['BT-114', 'Rounding amount', 'amount', `${sums}/RoundingAmount`, 'LegalMonetaryTotal/PayableRoundingAmount',
     'rounding|rounding amount'],
    ['BT-115', 'Amount due for payment', 'amount', `${sums}/DuePayableAmount`, 'LegalMonetaryTotal/PayableAmount',
     'due amount|due total|due|net due|payment amount|due total amount|due payment amount|due payment'],
  ]),
  ...terms(
    'invoice',
    [
      ['BT-21', 'Invoice note subject code', 'code', 'SubjectCode', '', 'note code|subject code'],
      ['BT-22', 'Invoice note', 'text', 'Content', '.', 'note|invoice note|text'],
    ],
    'BG-1',
  ),
  ...terms(
    'preceding',
    [
      ['BT-25', 'Preceding invoice reference', 'id', 'IssuerAssignedID', 'InvoiceDocumentReference/ID',
       'preceding invoice no|preceding invoice|preceding invoice reference'],
      ['BT-26', 'Preceding invoice issue date', 'date', 'FormattedIssueDateTime/qdt:DateTimeString', 'InvoiceDocumentReference/IssueDate',
       'preceding invoice date|preceding invoice issue date'],
    ],
    'BG-3',
  ),
  ...terms('seller', [
    ['BT-27', 'Seller name', 'text', `${seller}/Name`, `${sellerUbl}/PartyLegalEntity/RegistrationName | ${sellerUbl}/PartyName/Name`,
     'seller|seller name|seller legal name'],
    ['BT-28', 'Seller trading name', 'text', `${seller}/SpecifiedLegalOrganization/TradingBusinessName`, `${sellerUbl}/PartyName/Name`,
     'seller trading name|seller trading'],
    ['BT-29', 'Seller identifier', 'id', `${seller}/ID | ${seller}/GlobalID`, `${sellerUbl}/PartyIdentification/ID[@schemeID!=SEPA]`,
     'seller no|seller code|seller reference'],
    ['BT-30', 'Seller legal registration identifier', 'id', `${seller}/SpecifiedLegalOrganization/ID`,
     `${sellerUbl}/PartyLegalEntity/CompanyID`, 'seller registration no|seller registration|seller legal no|seller legal registration no'],
    ['BT-31', 'Seller VAT identifier', 'id', `${seller}/SpecifiedTaxRegistration/ID[@schemeID=VA]`, `${sellerUbl}/${vatUbl}`,
     'seller tax no|seller vatid'],
    ['BT-32', 'Seller tax registration identifier', 'id', `${seller}/SpecifiedTaxRegistration/ID[@schemeID=FC]`,
     `${sellerUbl}/PartyTaxScheme[TaxScheme/ID!=VAT]/CompanyID`,
     'seller fiscal no|seller tax registration no|seller tax registration|seller fiscal'],
    ['BT-33', 'Seller additional legal information', 'text', `${seller}/Description`, `${sellerUbl}/PartyLegalEntity/CompanyLegalForm`,
     'seller legal text|seller legal note'],
    ['BT-34', 'Seller electronic address', 'id', `${seller}/URIUniversalCommunication/URIID`, `${sellerUbl}/EndpointID`,
     'seller electronic|seller electronic address|seller electronic no'],
    ...contactRows(['BT-41', 'BT-42', 'BT-43'], `${seller}/DefinedTradeContact`, `${sellerUbl}/Contact`),
  ]),
  ...addressOf('seller', `${seller}/PostalTradeAddress`, `${sellerUbl}/PostalAddress`),
  ...terms('buyer', [
    ['BT-44', 'Buyer name', 'text', `${buyer}/Name`, `${buyerUbl}/PartyLegalEntity/RegistrationName | ${buyerUbl}/PartyName/Name`,
     'buyer|buyer name|buyer legal name'],
    ['BT-45', 'Buyer trading name', 'text', `${buyer}/SpecifiedLegalOrganization/TradingBusinessName`, `${buyerUbl}/PartyName/Name`,
     'buyer trading name|buyer trading'],
    ['BT-46', 'Buyer identifier', 'id', `${buyer}/ID | ${buyer}/GlobalID`, `${buyerUbl}/PartyIdentification/ID`, 'buyer no|buyer code'],
    ['BT-47', 'Buyer legal registration identifier', 'id', `${buyer}/SpecifiedLegalOrganization/ID`,
     `${buyerUbl}/PartyLegalEntity/CompanyID`, 'buyer registration no|buyer registration|buyer legal registration no'],
    ['BT-48', 'Buyer VAT identifier', 'id', `${buyer}/SpecifiedTaxRegistration/ID[@schemeID=VA]`, `${buyerUbl}/${vatUbl}`,
     'buyer tax no|buyer vatid'],
    ['BT-49', 'Buyer electronic address', 'id', `${buyer}/URIUniversalCommunication/URIID`, `${buyerUbl}/EndpointID`,
     'buyer electronic|buyer electronic address|buyer electronic no'],
    ...contactRows(['BT-56', 'BT-57', 'BT-58'], `${buyer}/DefinedTradeContact`, `${buyerUbl}/Contact`),
  ]),
  ...addressOf('buyer', `${buyer}/PostalTradeAddress`, `${buyerUbl}/PostalAddress`),
  ...terms('payee', [
    ['BT-59', 'Payee name', 'text', `${payee}/Name`, 'PayeeParty/PartyName/Name', 'payee|payee name'],
    ['BT-60', 'Payee identifier', 'id', `${payee}/ID | ${payee}/GlobalID`, 'PayeeParty/PartyIdentification/ID[@schemeID!=SEPA]',
     'payee no'],
    ['BT-61', 'Payee legal registration identifier', 'id', `${payee}/SpecifiedLegalOrganization/ID`,
     'PayeeParty/PartyLegalEntity/CompanyID', 'payee registration no|payee registration'],
  ]),
  ...terms('representative', [
    ['BT-62', 'Seller tax representative name', 'text', `${representative}/Name`, 'TaxRepresentativeParty/PartyName/Name',
     'representative|representative name'],
    ['BT-63', 'Seller tax representative VAT identifier', 'id', `${representative}/SpecifiedTaxRegistration/ID[@schemeID=VA]`,
     `TaxRepresentativeParty/${vatUbl}`, 'representative tax no|representative vatid'],
  ]),
  ...addressOf('representative', `${representative}/PostalTradeAddress`, 'TaxRepresentativeParty/PostalAddress'),
  ...terms('delivery', [
    ['BT-70', 'Deliver to party name', 'text', `${shipTo}/Name`, 'Delivery/DeliveryParty/PartyName/Name',
     'delivery name|delivery party|delivery'],
    ['BT-71', 'Deliver to location identifier', 'id', `${shipTo}/ID | ${shipTo}/GlobalID`, 'Delivery/DeliveryLocation/ID',
     'delivery location|delivery location no|delivery location code'],
  ]),
  ...addressOf('delivery', `${shipTo}/PostalTradeAddress`, 'Delivery/DeliveryLocation/Address'),
  ...terms(
    'invoice',
    [
      ['BT-81', 'Payment means type code', 'code', 'TypeCode', 'PaymentMeansCode',
       'payment method|payment type|payment code|payment method code'],
      ['BT-82', 'Payment means text', 'text', 'Information', 'PaymentMeansCode/@name', 'payment method text'],
      ['BT-84', 'Payment account identifier', 'id',
       'PayeePartyCreditorFinancialAccount/IBANID | PayeePartyCreditorFinancialAccount/ProprietaryID', 'PayeeFinancialAccount/ID',
       'iban|account no|account|bank account|iban no|bank account no'],
      ['BT-85', 'Payment account name', 'text', 'PayeePartyCreditorFinancialAccount/AccountName', 'PayeeFinancialAccount/Name',
       'account name|account holder|bank account name'],
      ['BT-86', 'Payment service provider identifier', 'id', 'PayeeSpecifiedCreditorFinancialInstitution/BICID',
       'PayeeFinancialAccount/FinancialInstitutionBranch/ID', 'bic|bic code|bank code|bank no'],
      ['BT-87', 'Payment card primary account number', 'id', 'ApplicableTradeSettlementFinancialCard/ID',
       'CardAccount/PrimaryAccountNumberID', 'card no'],
      ['BT-88', 'Payment card holder name', 'text', 'ApplicableTradeSettlementFinancialCard/CardholderName', 'CardAccount/HolderName',
       'card holder|card name'],
      ['BT-89', 'Mandate reference identifier', 'id', '', 'PaymentMandate/ID', 'mandate|mandate no|mandate reference'],
      ['BT-91', 'Debited account identifier', 'id', 'PayerPartyDebtorFinancialAccount/IBANID', 'PaymentMandate/PayerFinancialAccount/ID',
       'buyer iban|buyer account|buyer account no'],
    ],
    'BG-16',
  ),
  ...terms(
    'allowance',
    allowanceRows(['BT-92', 'BT-93', 'BT-94', 'BT-95', 'BT-96', 'BT-97', 'BT-98'], 'allowance'),
    'BG-20',
  ),
  ...terms(
    'charge',
    allowanceRows(['BT-99', 'BT-100', 'BT-101', 'BT-102', 'BT-103', 'BT-104', 'BT-105'], 'charge'),
    'BG-21',
  ),
  ...terms(
    'vat',
    [
      ['BT-116', 'VAT category taxable amount', 'amount', 'BasisAmount', 'TaxableAmount',
       'taxable amount|taxable|base amount|base|net amount|net|tax base'],
      ['BT-117', 'VAT category tax amount', 'amount', 'CalculatedAmount', 'TaxAmount', 'tax amount|tax|amount|tax total|total'],
      ['BT-118', 'VAT category code', 'code', 'CategoryCode', 'TaxCategory/ID', 'tax category|category|category code|tax code|code'],
      ['BT-119', 'VAT category rate', 'percent', 'RateApplicablePercent', 'TaxCategory/Percent', 'tax rate|rate|tax'],
      ['BT-120', 'VAT exemption reason text', 'text', 'ExemptionReason', 'TaxCategory/TaxExemptionReason',
       'exemption reason|exemption|reason'],
      ['BT-121', 'VAT exemption reason code', 'code', 'ExemptionReasonCode', 'TaxCategory/TaxExemptionReasonCode',
       'exemption reason code|exemption code|reason code'],
    ],
    'BG-23',
  ),
  ...terms(
    'attachment',
    [
      ['BT-122', 'Supporting document reference', 'id', 'IssuerAssignedID', 'ID', 'attachment no|attachment|no|reference'],
      ['BT-123', 'Supporting document description', 'text', 'Name', 'DocumentDescription', 'attachment description|description|name'],
      ['BT-124', 'External document location', 'text', 'URIID', 'Attachment/ExternalReference/URI', 'attachment location|location'],
    ],
    'BG-24',
  ),
  ...terms(
    'line',
    [
      ['BT-126', 'Invoice line identifier', 'id', 'AssociatedDocumentLineDocument/LineID', 'ID', 'line no|line|no'],
      ['BT-127', 'Invoice line note', 'text', 'AssociatedDocumentLineDocument/IncludedNote/Content', 'Note', 'note|line note'],
      ['BT-128', 'Invoice line object identifier', 'id', `${lineSettlement}/AdditionalReferencedDocument[TypeCode=130]/IssuerAssignedID`,
       'DocumentReference[DocumentTypeCode=130]/ID', 'object no|object'],
      ['BT-129', 'Invoiced quantity', 'number', 'SpecifiedLineTradeDelivery/BilledQuantity', quantityUbl,
       'quantity|line quantity|invoice quantity'],
      ['BT-130', 'Invoiced quantity unit of measure code', 'code', 'SpecifiedLineTradeDelivery/BilledQuantity/@unitCode',
       'InvoicedQuantity/@unitCode | CreditedQuantity/@unitCode', 'unit|unit code|quantity unit|quantity unit code'],
      ['BT-131', 'Invoice line net amount', 'amount', `${lineSettlement}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount`,
       'LineExtensionAmount',
       'line total|line amount|amount|total|net amount|net total|line net amount|line net total|total price|net|total amount|subtotal'],
      ['BT-132', 'Referenced purchase order line reference', 'id', `${lineAgreement}/BuyerOrderReferencedDocument/LineID`,
       'OrderLineReference/LineID', 'order line no|order line|order line reference|purchase order line'],
      ['BT-133', 'Invoice line buyer accounting reference', 'text', `${lineSettlement}/ReceivableSpecifiedTradeAccountingAccount/ID`,
       'AccountingCost', 'accounting|accounting reference'],
      ['BT-134', 'Invoice line period start date', 'date', `${lineSettlement}/BillingSpecifiedPeriod/StartDateTime/${day}`,
       'InvoicePeriod/StartDate', 'period start|start date|period start date'],
      ['BT-135', 'Invoice line period end date', 'date', `${lineSettlement}/BillingSpecifiedPeriod/EndDateTime/${day}`,
       'InvoicePeriod/EndDate', 'period end|end date|period end date'],
      ['BT-136', 'Invoice line allowance amount', 'amount', `${lineAllowance}/ActualAmount`,
       'AllowanceCharge[ChargeIndicator=false]/Amount', 'allowance|allowance amount|line allowance'],
      ['BT-138', 'Invoice line allowance percentage', 'percent', `${lineAllowance}/CalculationPercent`,
       'AllowanceCharge[ChargeIndicator=false]/MultiplierFactorNumeric', 'allowance rate|allowance'],
      ['BT-139', 'Invoice line allowance reason', 'text', `${lineAllowance}/Reason`,
       'AllowanceCharge[ChargeIndicator=false]/AllowanceChargeReason', 'allowance reason'],
      ['BT-141', 'Invoice line charge amount', 'amount', `${lineCharge}/ActualAmount`, 'AllowanceCharge[ChargeIndicator=true]/Amount',
       'charge|charge amount|line charge'],
      ['BT-144', 'Invoice line charge reason', 'text', `${lineCharge}/Reason`,
       'AllowanceCharge[ChargeIndicator=true]/AllowanceChargeReason', 'charge reason'],
      ['BT-146', 'Item net price', 'amount', `${netPrice}/ChargeAmount`, 'Price/PriceAmount',
       'unit price|price|net price|unit net price|price amount|unit amount'],
      ['BT-147', 'Item price discount', 'amount', `${grossPrice}/AppliedTradeAllowanceCharge/ActualAmount`, 'Price/AllowanceCharge/Amount',
       'price allowance|unit price allowance'],
      ['BT-148', 'Item gross price', 'amount', `${grossPrice}/ChargeAmount`, 'Price/AllowanceCharge/BaseAmount',
       'gross price|unit gross price|list price'],
      ['BT-149', 'Item price base quantity', 'number', `${netPrice}/BasisQuantity | ${grossPrice}/BasisQuantity`, 'Price/BaseQuantity',
       'price base quantity|base quantity|price unit quantity'],
      ['BT-150', 'Item price base quantity unit of measure code', 'code',
       `${netPrice}/BasisQuantity/@unitCode | ${grossPrice}/BasisQuantity/@unitCode`, 'Price/BaseQuantity/@unitCode',
       'base quantity unit|price base quantity unit|base unit'],
      ['BT-151', 'Invoiced item VAT category code', 'code', `${lineSettlement}/ApplicableTradeTax/CategoryCode`,
       'Item/ClassifiedTaxCategory/ID', 'tax category|tax code'],
      ['BT-152', 'Invoiced item VAT rate', 'percent', `${lineSettlement}/ApplicableTradeTax/RateApplicablePercent`,
       'Item/ClassifiedTaxCategory/Percent', 'tax rate|tax|rate'],
      ['BT-153', 'Item name', 'text', 'SpecifiedTradeProduct/Name', 'Item/Name', 'name|line name|line|line text'],
      ['BT-154', 'Item description', 'text', 'SpecifiedTradeProduct/Description', 'Item/Description', 'description|line description|text'],
      ['BT-155', "Item seller's identifier", 'id', 'SpecifiedTradeProduct/SellerAssignedID', 'Item/SellersItemIdentification/ID',
       'line code|line product no|product no|product code|code|seller product no|seller line no|seller product code|seller no'],
      ['BT-156', "Item buyer's identifier", 'id', 'SpecifiedTradeProduct/BuyerAssignedID', 'Item/BuyersItemIdentification/ID',
       'buyer product no|buyer line no|buyer product code|buyer no'],
      ['BT-157', 'Item standard identifier', 'id', 'SpecifiedTradeProduct/GlobalID', 'Item/StandardItemIdentification/ID',
       'standard no|standard|standard product no|standard code|standard line no'],
      ['BT-158', 'Item classification identifier', 'code', 'SpecifiedTradeProduct/DesignatedProductClassification/ClassCode',
       'Item/CommodityClassification/ItemClassificationCode', 'classification|classification code|classification no'],
      ['BT-159', 'Item country of origin', 'code', 'SpecifiedTradeProduct/OriginTradeCountry/ID', 'Item/OriginCountry/IdentificationCode',
       'origin country|origin|origin country code'],
    ],
    'BG-25',
  ),
]
