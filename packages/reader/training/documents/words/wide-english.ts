import type { Labels } from './lexicon.ts'

/** More wordings, only for the train part. */
export const wideEnglish: Partial<Labels> = {
  invoice: 'Invoice / Statement|VAT Invoice|Service Invoice|INVOICE – ORIGINAL|Final Invoice|Customer Invoice',
  receipt: 'Sale|Till receipt|Payment receipt|GUEST CHECK|YOUR BILL|Sales slip',
  order: 'P.O.|Order form|Procurement Order|PURCHASE ORDER / CONTRACT|Order confirmation requested|Works order',
  statement: 'Statement|Current Account Statement|Account summary|Monthly statement|Your account statement',
  invoiceNumber:
    'Invoice|Invoice Ref|Inv #|Invoice Nr|Tax invoice no.|Invoice reference|Invoice code|INV NO|Ref. no.|Bill number',
  invoiceDate:
    'Inv. Date|Invoice dt.|Date of invoice|Document date|Bill date|Invoiced|Invoice Date (tax point)|Date raised',
  dueDate:
    'Due by|Payment deadline|To be paid by|Last day to pay|Payable by|Due on|Pay before|Payment date|Net due date',
  purchaseOrder: 'PO|P/O No.|Your PO|Cust. order no.|Order number|Your reference|PO Ref|Cust PO #|Your order|Order No',
  customerNumber: 'Cust. No.|Customer ref|Customer code|A/C Ref|Your account|Client ID|Debtor no.|Account ref.',
  currency: 'Invoice currency|Amounts in|Cur.|Curr.|Currency (ISO)',
  terms: 'Pmt terms|Payment conditions|Payment method/terms|Credit terms|Terms & conditions of payment',
  reference: 'Our ref.|Quote no.|Job reference|Site|Salesperson|Cost centre|Case no.',
  deliveryNote: 'Despatch note|D/N|Consignment no.|Waybill|Delivery docket|Ship ref',
  billTo:
    'Invoice address|Invoice To|Customer details|Bill-to party|BUYER|Charge to|Prepared for|For|Billing address|Messrs.|Payer',
  shipTo: 'Shipping address|Ship-to party|Delivered to|Delivery to|Consignee|Site address|Deliver To|Shipment address',
  from: 'Our details|Sold by|Supplied by|Company details|Payee|Biller|Service provider',
  attention: 'FAO|For the attention of|ATTN:|Att:|Contact:',
  vatId: 'VAT|VAT Reg No|Tax No.|Tax reg. no.|VAT registration number|EIN|Company VAT no.|TIN',
  phone: 'Tel.|Phone no.|Call|Telephone no.|Ph',
  fax: 'Fax no.|Telefax',
  email: 'e|Email address|Mail us|E-Mail',
  contact:
    'Our contact|Requested by|Buyer contact|Requisitioner|Person in charge|Contact name|Ordered by (name)|Your contact',
  position: 'Item no.|Ln|Pos|Line #|Sr. No.|S/N|Row',
  sku: 'Article no.|Item #|Part number|Product no.|Stock code|Material|Ref|Item number|Catalogue no.|Part #|Our code',
  description:
    'Goods|Description of goods|Product / service|Item & description|Work carried out|Designation|Description of services|Article',
  quantity: 'QTY.|Qty ordered|Quantity|Hours|Pcs|Qnty|Amount (qty)|Ordered|Count|Vol.',
  unit: 'UoM|Unit of measure|Per|Pack|U.',
  unitPrice:
    'Price/unit|Price per unit|Unit price (net)|Net price|Unit rate|List price|Price ea.|Each price|Item price|Unit charge',
  amount: 'Line amount|Net|Amt|Ext. price|Extended amount|Total price|Net value|Line value|Total net|Extension',
  movementAmount: 'Amount (net)|Movement|Value of transaction|Transaction value|Debit/Credit',
  taxColumn: 'Tax %|VAT rate|VAT code|Tax code|GST',
  subtotal:
    'Net amount|Sum of items|Amount before tax|Total net|Goods value|Nett|Total ex VAT|Taxable total|Net invoice value',
  discount:
    'Total discount|Special discount|Discount given|Less|Promo discount|Customer discount|Early payment discount',
  shipping:
    'Delivery charge|Shipping cost|Freight charges|P&P|Transport costs|Courier charge|Shipping fee|Carriage charge',
  tax: 'VAT total|Total tax|Plus VAT|Value added tax|Add VAT|Tax amount|VAT payable',
  total:
    'Invoice amount|Amount payable|Total amount|Total incl. VAT|Total amount due|Please pay|Gross total|TOTAL AMOUNT PAYABLE|Total to pay|Total inc. tax',
  paid: 'Less deposit|Payment received|Advance payment|Prepaid|Payments received|Less payments',
  balanceDue: 'Remaining balance|Balance to pay|Balance outstanding|Amount still due|Net amount due|Open amount',
  orderTotal:
    'Total order|Order amount|Total value of order|Purchase total|Total net value|TOTAL ORDER VALUE|Total payable|Overall total',
  carried: 'Carry forward|c/f|Subtotal carried forward|Carried over',
  bank: 'Bank details|Beneficiary bank|Paying bank|Banker',
  accountNumber: 'Acc. no.|A/C number|Account #|Account no|Acct. No.',
  iban: 'IBAN number|International account no.',
  bic: 'Swift/BIC|BIC code|Bank code (BIC)',
  orderNumber:
    'Purchase order number|PO|Order|Our PO No.|Order #|PO number/rev|Contract no.|Our order no.|P/O|PO-No.|Order reference',
  orderDate: 'PO issue date|Dated|Date of issue|Order placed|Date ordered|Date of PO|Issue date|Creation date',
  deliveryDate:
    'Due date|Delivery by|Required on|Delivery required|Requested delivery date|Need by date|Promise date|On-site date|Arrival date|Deliver on|Date wanted',
  buyer:
    'Ordering party|Buyer (invoice address)|Our company|From|Issued by|Invoice address|Purchasing company|Customer',
  supplier:
    'Supplier name & address|Vendor details|Order to|Vendor address|Contractor|Supplied by|Supplier details|Messrs.|Seller',
  shippingTerms:
    'Delivery conditions|Shipment terms|INCOTERMS 2020|Ship terms|Freight|Shipping method|Delivery basis|Mode of delivery',
  signature: 'Buyer signature|For and on behalf of|Signed|Authorised by|Name and signature',
  receiptNumber: 'Receipt|Check #|Ticket|Ticket no.|Order|Trn|Sale no.|Chk|TXN|Bill #|Receipt ID|Document no',
  cashier: 'Staff|Host|You were served by|Assistant|Waiter|Employee|Sold by',
  till: 'Reg|Store/Till|Station|Terminal no.|Counter|Cash desk|Pump|Till no.',
  date: 'Dated|Trans date|Post date|Booking date|Booked',
  time: 'At|Hour|Tm',
  receiptItem: 'Goods|Name|Article|Desc.|Your items|Details',
  receiptQuantity: 'Units|Pcs|Q|#|Count',
  receiptPrice: 'Unit|PPU|Unit price|per',
  receiptAmount: 'Sum total|Ext|Net|Value',
  receiptSubtotal: 'SUB|SUBTTL|Sub total (ex. tax)|Net|Goods|Food & drink',
  receiptTotal:
    'Total to pay|AMOUNT|Balance to pay|TOTAL (incl. VAT)|Total sale|BALANCE|To pay|Bill total|TTL|AMOUNT PAYABLE|Total price',
  includedTax: 'Incl. tax|VAT included|Includes VAT of|Total includes VAT|VAT @|Tax included',
  cash: 'CASH PAID|Cash received|Cash payment|TENDER CASH|Amount given|CSH|Cash in',
  change: 'Change given|CHANGE CASH|Cash back|Your change|CHG|Change out',
  card: 'CREDIT CARD|Debit Mastercard|CHIP & PIN|EFTPOS|VISA CONTACTLESS|Paid by card|CARD SALE|Mastercard Credit|Bank card|American Express|Visa Credit',
  rounding: 'Round|Rounded|Cash rounding|ROUNDING ADJ|Rnd.',
  itemCount: 'Item(s)|Number of items|Lines|Qty of articles|Total items',
  statementNumber: 'Sheet|Statement ID|Stmt no.|Sheet number|Issue no.|Statement reference',
  statementDate: 'As at|Date of statement|Issue date|Statement as of|Printed|Date produced|Statement closing date',
  period: 'Dates covered|From / to|Statement dates|Billing period|Reporting period|Statement from|Period from',
  holder: 'Account in the name of|Client|Account of|Name of account|Accountholder|Account title|Account owner name',
  opening:
    'Balance forward|Starting balance|Opening bal.|BROUGHT FORWARD|Last statement balance|Balance on previous statement|Balance at start of period',
  closing:
    'Balance at close|Current balance|Closing bal.|CARRIED FORWARD|Balance on this statement|Balance at end of period|Your closing balance',
  credits:
    'Total money in|Deposits & credits|Payments in|Sum of credits|Total of deposits|Credits total|Total received',
  debits:
    'Total money out|Withdrawals & debits|Payments out|Sum of debits|Total of withdrawals|Debits total|Total spent',
  valueDate: 'Val. date|Val.|Effective date|Date of value',
  details: 'Transaction description|Payee / details|Narration|Reference|Text|Type & description|What for',
  balance: 'Account balance|Balance after|New balance|Ledger balance|Bal',
  moneyOut: 'Debit amount|Paid-out|Withdrawn|Payment|Dr|Outgoing|Debit (-)',
  moneyIn: 'Credit amount|Paid-in|Deposited|Received|Cr|Incoming|Credit (+)',
  page: 'Page no.|Pg.|Sheet',
}
