import { remembered } from '../layout/remembered.ts'
import { fold } from '../layout/text.ts'

/**
 * Words of labels by their meaning, in English, German, French, Spanish, Italian, Dutch and Portuguese: the meaning, then words and phrases
 * separated by commas. A German or Dutch compound is read by its parts: `Geburtsdatum` is birth and date.
 */
const meanings = `
no: number, no, nr, num, id, identifier, code, ref, reference, nummer, kennung, kennzeichen, referenz, zeichen, numero, numéro, référence, matricule, número, núm, referencia, código, clave, codice, riferimento, matricola, kenmerk, referentie, referência, folio, n, reg, regnr, registernummer, folio no, numerical, cod, nrs
date: date, dates, day, days, on, dated, datum, daten, tag, fechas, datas, jour, fecha, día, data, giorno, dag, dia, am, op, em, dato
name: name, full name, namen, nom, nombre, nome, naam, nominativo, denominazione, vor und nachname, voor en achternaam, nom et prénom, nombre y apellidos, nome e cognome, nome completo, naam en voornaam, nombre completo, completo, print, druckbuchstaben, raison sociale, razón social, ragione sociale, denominação, business name
amount: amount, value, sum, betrag, summe, wert, montant, valeur, somme, importe, valor, cuantía, importo, valore, bedrag, waarde, som, montante, quantia, valor total, cantidad, cuantía total, volumen, sommes
total: total, grand total, total général, total general, total geral, totale generale, eindtotaal, gesamtsumme, overall, gesamt, insgesamt, totaal, totale, globale
kind: type, kind, category, class, art, typ, kategorie, catégorie, genre, tipo, clase, categoría, categoria, soort, klasse, modality, modalidad, modalité, formule, nature, natura, naturaleza, tipologia, tipología, espécie, especie, beschaffenheit
by: by, durch, door, par, por, da parte di, pela, pelo, with, von wem
birth: birth, born, dob, date of birth, geburt, geboren, naissance, né, née, nacimiento, nacido, nascita, nato, nata, geboorte, nascimento, geb, nac, nasc, nat, naturalidade, natural, geboortig, birthdate
surname: surname, last name, family name, nachname, familienname, zuname, nom de famille, apellido, apellidos, cognome, achternaam, familienaam, apelido, sobrenome, nachname name, naam
forename: forename, first name, given name, given names, vorname, vornamen, rufname, prénom, prénoms, voornaam, voornamen, nombre de pila, nome próprio, primeiro nome, voorname, roepnaam, prenom, first names, nome de baptismo
place: place, city, town, location, ort, stadt, wohnort, lieu, ville, localité, lugar, ciudad, localidad, población, luogo, città, comune, località, plaats, woonplaats, stad, local, cidade, localidade, emplacement, emplazamiento, ubicación, ubicazione, localização, situación, standort, einbauort, situated, situation, sede, venue, scene, site, ubicado, locatie, ligging, destination place, where, wo
street: street, road, straße, strasse, rue, calle, via, straat, rua
postcode: postcode, postal code, zip, zip code, plz, postleitzahl, code postal, código postal, cap, postcode
country: country, land, pays, país, paese, stato, ursprungsland, bestimmungsland
address: address, anschrift, adresse, dirección, domicilio, indirizzo, residenza, adres, endereço, morada, home address, domicile, residence, wohnanschrift, woonadres, premises, residence address, postal, postadres, postanschrift
phone: phone, telephone, tel, mobile, telefon, telefonnummer, handy, téléphone, teléfono, móvil, telefono, cellulare, telefoon, mobiel, telefone, telemóvel, celular, tfno, tlf, fon, telefonnr, fixe, portable, gsm, cell
email: email, e mail, mail, e-mail, courriel, adresse électronique, correo, correo electrónico, posta elettronica, correio eletrónico
sex: sex, gender, geschlecht, sexe, sexo, sesso, geslacht, género
nationality: nationality, citizenship, staatsangehörigkeit, nationalität, nationalité, nacionalidad, nazionalità, cittadinanza, nationaliteit, nacionalidade
marital: marital, marital status, civil status, familienstand, situation familiale, état civil, estado civil, stato civile, burgerlijke staat
identity: identity, identity card, national id, id card, id number, personalausweis, ausweis, carte d identité, pièce d identité, dni, documento de identidad, dni nie, nif, documento d identità, carta d identità, identiteitskaart, bilhete de identidade, cartão de cidadão
passport: passport, reisepass, pass, passeport, pasaporte, passaporto, paspoort, passaporte
employee: employee, worker, staff, personnel, arbeitnehmer, mitarbeiter, mitarbeiterin, personal, salarié, employé, empleado, trabajador, dipendente, lavoratore, werknemer, medewerker, personeel, funcionário, empregado, trabalhador, colaborador, collaborateur, collaborator, collaboratore, intervenant, operatore, operario, agent, agente, claimant employee
employer: employer, arbeitgeber, employeur, empleador, empresa, datore di lavoro, werkgever, empregador, entidade patronal
department: department, division, abteilung, service, département, departamento, sección, reparto, ufficio, afdeling, dept, abt, afd, sezione, secção, bureau, unit, unidad, unidade, unità, ward
position: position, job title, occupation, profession, beruf, tätigkeit, funktion, emploi, poste, fonction, profession, puesto, cargo, profesión, ocupación, professione, mansione, qualifica, functie, beroep, profissão, função
gross: gross, brutto, brut, bruto, bruta, lordo, lorda, ilíquido
net: net, nett, netto, neto, neta, netta, líquido, líquida
pay: pay, salary, wage, wages, earnings, remuneration, gehalt, lohn, bezüge, verdienst, vergütung, entgelt, salaire, rémunération, traitement, salario, sueldo, nómina, retribución, stipendio, retribuzione, paga, salaris, loon, salário, vencimento, remuneração, ordenado, remuneração base, compensation, verdiensten, bezoldiging, loonstrook
payout: payout, amount paid, take home, auszahlung, auszahlungsbetrag, net à payer, net payé, líquido a percibir, netto in busta, netto a pagare, uitbetaald, uit te betalen, líquido a receber, auszuzahlen, nettoverdienst, uitbetaling, net amount
deduction: deduction, deductions, abzüge, abzug, retenues, retenue, déductions, cotisations, deducciones, retenciones, trattenute, ritenute, inhoudingen, inhouding, descontos, deduções, retenções, withheld, einbehalten, ingehouden, retenção, retenção na fonte, withholding
tax: tax, taxes, vat, steuer, steuern, mwst, ust, impôt, impôts, taxe, taxes, tva, impuesto, impuestos, iva, imposta, imposte, belasting, btw, imposto, impostos, irpf, irs, irpef, paye, duty, lohnsteuer, loonheffing, levy, abgabe, abgaben, contribution fiscale
income: income, einkommen, einkünfte, revenu, revenus, ingresos, renta, reddito, inkomen, rendimento, rendimentos
pension: pension, rente, rentenversicherung, retraite, pensión, jubilación, pensione, previdenza, pensioen, reforma, aposentação
social: social security, national insurance, ni, ssn, sozialversicherung, sv, sécurité sociale, seguridad social, previdenza sociale, inps, sociale zekerheid, burgerservicenummer, bsn, segurança social
hours: hours, hour, stunden, heures, horas, ore, uren, hrs, std, uur, ore lavorate, h
normal: regular, normal, ordinary, basic, standard, regulär, reguläre, grund, normale, normales, ordinario, ordinaria, ordinarie, ordinarias, normaal, gewone, normais, base, basis
overtime: overtime, overtime hours, extra hours, überstunden, heures supplémentaires, horas extra, horas extras, horas extraordinarias, straordinario, straordinari, ore straordinarie, overuren, overwerk, horas extraordinárias, supp, mehrarbeit, straord, o t
period: period, zeitraum, periode, abrechnungszeitraum, période, período, periodo, tijdvak, covering, exercise, ejercicio, exercício, exercice, esercizio
month: month, months, monat, monate, laufzeit in monaten, mois, mes, meses, mese, mesi, maand, maanden, mês
week: week, woche, kalenderwoche, semaine, semana, settimana
year: year, annual, yearly, jahr, jährlich, jahres, année, annuel, annuelle, an, año, anual, anno, annuo, annua, annuale, jaar, jaarlijks, ano
monthly: monthly, per month, monatlich, monatliche, mensuel, mensuelle, mensual, mensile, maandelijks, maandelijkse, mensal
todate: to date, ytd, year to date, kumuliert, aufgelaufen, cumul, cumulé, acumulado, acumulada, progressivo, cumulatief
from: from, start, starts, starting, begin, begins, beginning, commencement, valid from, effective, inception, von, ab, beginn, anfang, gültig ab, début, du, à partir du, depuis, desde, inicio, comienzo, dal, inizio, decorrenza, van, vanaf, ingang, ingangsdatum, início, a partir de, commencing, commences, since, seit, sinds, compter, compter du, attivazione, a contar, desde el, entrada en vigor, effective from, starting on
until: until, válida, válidos, válidas, valida, validi, till, end, ends, ending, expiry, expires, expiration, valid until, valid to, bis, ende, ablauf, gültig bis, fin, jusqu au, expiration, hasta, vencimiento, caducidad, fine, scadenza, tot, einde, eind, vervaldatum, até, fim, termo, validade, thru, through, geldig tot, valable, valide, valido, valid, válido, gültigkeit, geldig, geldigheid, validez, validità, validité, befristet, termino, término, échéance finale, exp, fin de validité
due: due, payable by, pay by, deadline, fällig, fälligkeit, zahlbar bis, zu zahlen bis, échéance, à payer avant, à régler avant, à régler avant le, date limite, vencimiento, fecha límite, pagar antes de, scadenza, da pagare entro, entro il, vervaldatum, te betalen voor, uiterste datum, vencimento, data limite, pagar até, zahlungsfrist, betaaldatum, uiterlijk, uiterste betaaldatum, no later than, at the latest, spätestens, au plus tard, antes del, entro e non oltre, pagare entro
payable: amount due, to pay, payable, zu zahlen, zahlbetrag, à payer, montant à payer, net à payer, a pagar, total a pagar, da pagare, importo da pagare, te betalen, total due, balance due, sum due, zu entrichten, a liquidar, à verser, da versare, a ingresar
customer: customer, client, account holder, kunde, kunden, abonné, cliente, intestatario, klant, subscriber, auftraggeber, kd, kdnr, klantnr, donneur d ordre, comanditaire, mandante, committente, opdrachtgever, purchaser of service, abonnent, abonado, end client, prospect
contract: contract, agreement, vertrag, vertrags, contrat, contrato, contratto, overeenkomst, convention, convenio, accordo, acordo, accord, vereinbarung, bail, arrendamiento contrato
policy: policy, police, versicherungsschein, versicherungsnummer, póliza, polizza, polis, apólice
insured: insured, policyholder, policy holder, insured person, versicherungsnehmer, versicherte, versicherter, assuré, souscripteur, asegurado, tomador, contraente, assicurato, verzekerde, verzekeringnemer, segurado, tomador do seguro, assistito, utente, utente saúde, beneficiary, versicherungsnehmerin, policy owner
premium: premium, prämie, beitrag, prime, cotisation, prima, premio, premie, prémio
cover: cover, coverage, sum insured, limit, deckung, deckungssumme, versicherungssumme, garantie, capital assuré, plafond, cobertura, suma asegurada, massimale, copertura, somma assicurata, dekking, verzekerd bedrag, capital seguro, limite
claim: claim, damage, loss, schaden, schadens, sinistre, siniestro, sinistro, schade, loss event, schadensfall, schadefall, accident, unfall, accidente, incidente, ongeval, acidente, infortunio, incident
excess: excess, deductible, selbstbeteiligung, selbstbehalt, franchise, franquicia, franchigia, eigen risico, franquia
plate: licence plate, license plate, plate, registration mark, vehicle registration, registration no, kennzeichen, amtliches kennzeichen, immatriculation, plaque, matrícula, targa, kenteken, kentekenplaat, placa, kennz, kfz, nummerplaat, license no, vehicle mark, immat, targato
vehicle: vehicle, car, fahrzeug, véhicule, voiture, vehículo, coche, veicolo, autoveicolo, auto, voertuig, veículo, viatura, truck, lkw, camion, camión, vrachtwagen, caminhão, kfz kennzeichen, automobile, automóvil, automóvel
brand: make, brand, marke, marque, marca, merk, fabricante
model: model, modell, modèle, modelo, modello
meter: meter, zähler, compteur, contador, contatore, medidor
reading: reading, zählerstand, stand, relevé, relève, index, lectura, lettura, meterstand, leitura
previous: previous, old, last, former, vorheriger, alter, alte, letzte, ancien, ancienne, précédent, précédente, anterior, precedente, vorige, oude, antigo
new: new, current, present, actual, neuer, neue, aktueller, aktuell, nouveau, nouvelle, actuel, actuelle, nuevo, nueva, attuale, nuovo, nuova, nieuwe, huidige, atual, novo, nova
consumption: consumption, usage, used, verbrauch, consommation, conso, consumo, verbruik
delivery: delivery, deliver, delivered, supply, lieferung, liefer, zustellung, livraison, entrega, consegna, levering, lever, aflevering
point: point, stelle, punto, punt, ponto
note: note, slip, schein, bon, bordereau, albarán, nota, bolla, bulletin, guia
shipment: shipment, consignment, dispatch, sendung, versand, expédition, envoi, envío, expedición, spedizione, zending, verzending, envio, expedição
carrier: carrier, haulier, forwarder, spediteur, frachtführer, transporteur, transportista, vettore, trasportatore, spedizioniere, vervoerder, transportador, transportadora, transported, haulage, transport, transporte, trasporto, vervoer
driver: driver, fahrer, chauffeur, conducteur, conductor, conducente, autista, bestuurder, condutor, motorista
package: package, packages, parcel, parcels, packstück, packstücke, kolli, colis, bulto, bultos, collo, colli, pakket, pakketten, volume, volumes, pieces, pcs, stück, cartons, kartons, boxes, cajas, scatole, dozen, caixas, piece, containers
count: number of, count, quantity, qty, anzahl, menge, nombre de, nombre d, quantité, cantidad, quantità, aantal, hoeveelheid, quantidade
weight: weight, gewicht, poids, peso, wt, mass, masse, masa, massa, kg
pallet: pallet, pallets, palette, paletten, palettes, palé, palés, palet, pallets, palete, paletes
load: loading, load, pick up, pickup, collection, lade, lader, beladung, abholung, verlade, chargement, enlèvement, carga, recogida, carico, ritiro, laad, laden, laadadres, recolha
unload: unloading, unload, entlade, entladung, abladen, déchargement, descarga, scarico, los, lossen, losadres
warehouse: warehouse, lager, entrepôt, almacén, magazzino, magazijn, armazém
sender: sender, shipper, consignor, exporter, absender, versender, exporteur, expéditeur, exportateur, remitente, expedidor, exportador, mittente, speditore, esportatore, afzender, verzender, remetente
recipient: recipient, consignee, addressee, receiver, importer, empfänger, importeur, destinataire, importateur, destinatario, consignatario, importador, ricevente, importatore, ontvanger, geadresseerde, destinatário
received: received, erhalten, empfangen, reçu, réceptionné, recibido, ricevuto, ontvangen, recebido, eingegangen, eingangsdatum, ingekomen
signed: signed, signature, unterschrift, unterzeichnet, signé, firma, firmado, firmato, handtekening, getekend, assinatura, assinado, signatory, signer, undersigned, unterzeichner, unterschrieben, signataire, firmante, firmatario, ondertekenaar, ondertekend, ondertekening, signatário, gezeichnet, sottoscritto, firmado por
approved: approved, authorised, authorized, genehmigt, freigegeben, approuvé, validé, aprobado, autorizado, approvato, autorizzato, goedgekeurd, aprovado, authorised signatory, validado, approver, approval, freigabe, freigegeben durch, visa, akkoord, visto bueno
issued: issued, issue, date of issue, ausgestellt, ausstellung, ausstellungs, émis, émission, délivré, délivrance, emitido, emisión, expedición, expedido, emesso, emissione, rilasciato, rilascio, uitgegeven, afgegeven, afgifte, uitgifte, emissão
issuer: issued by, issuer, issuing authority, authority, ausstellende behörde, behörde, aussteller, autorité, délivré par, emisor, expedido por, autoridad, rilasciato da, autorità, ente, afgegeven door, instantie, emitido por, autoridade
made: application, applied, request, antrag, antrags, demande, solicitud, domanda, richiesta, aanvraag, pedido, requerimento, candidatura
applicant: applicant, requester, antragsteller, antragstellerin, bewerber, demandeur, candidat, solicitante, interesado, richiedente, candidato, aanvrager, requerente, candidato
submitted: submitted, submission, filed, eingereicht, eingang, déposé, dépôt, presentado, presentación, presentato, presentazione, ingediend, entregue, apresentação
permit: permit, authorisation, authorization, licence, license, approval, genehmigung, erlaubnis, ausweis, autorisation, permis, autorización, permiso, licencia, autorizzazione, permesso, licenza, vergunning, autorização, licença, alvará
holder: holder, bearer, inhaber, titulaire, titular, titolare, houder
zone: zone, area, zona, gebiet, área, gebied
fee: fee, fees, charge, charges, gebühr, gebühren, frais, redevance, tasa, tarifa, cuota, tassa, tariffa, diritti, leges, kosten, taxa
loan: loan, credit, mortgage, darlehen, kredit, prêt, crédit, préstamo, crédito, hipoteca, prestito, mutuo, finanziamento, lening, krediet, hypotheek, empréstimo
interest: interest, interest rate, zins, zinsen, zinssatz, intérêt, taux d intérêt, interés, tipo de interés, interesse, tasso di interesse, tasso, rente, rentevoet, juro, juros, taxa de juro
instalment: instalment, installment, monthly payment, rate, monatsrate, mensualité, échéance, cuota, cuota mensual, mensualidad, rata, rata mensile, termijn, maandbedrag, prestação
outstanding: outstanding, remaining, pending, restant, ausstehend, offen, offener, rest, restschuld, restant dû, restante, capital restant, pendiente, residuo, residua, openstaand, resterend, em dívida, pendente
balance: balance, saldo, solde, kontostand
account: account, konto, compte, cuenta, conto, rekening, conta
branch: branch, office, filiale, geschäftsstelle, agence, sucursal, oficina, agenzia, filiale, kantoor, filiaal, agência, balcão
term: term, duration, laufzeit, dauer, durée, plazo, duración, durata, looptijd, duur, prazo, duração
purpose: purpose, reason, zweck, verwendungszweck, grund, motif, objet, but, motivo, finalidad, objeto, scopo, oggetto, finalità, doel, reden, finalidade, objetivo
review: review, revision, revisión, revisione, überprüfung, herziening, revisão, révision
next: next, nächste, nächster, prochain, prochaine, próximo, próxima, prossimo, prossima, volgende
patient: patient, patientin, paciente, paziente, patiënt
doctor: physician, doctor, practitioner, gp, arzt, ärztin, médecin, docteur, médico, medico, arts, huisarts
referring: referring, referred by, requesting, requested by, überweisender, überweisende, zuweisender, einsender, prescripteur, adresseur, demandeur, remitente, solicitante, inviante, richiedente, prescrittore, verwijzer, aanvrager, requisitante
referred: referred to, refer to, überwiesen an, adressé à, derivado a, inviato a, verwezen naar, encaminhado para
diagnosis: diagnosis, diagnose, diagnostic, diagnóstico, diagnosi
specimen: specimen, sample, probe, proben, échantillon, prélèvement, muestra, campione, prelievo, monster, amostra
material: material, materiaal, matériel, matériau, materiale, alloy, werkstoff, matière, grade of material
collected: collected, collection, taken, entnommen, abnahme, entnahme, prélevé, toma, extracción, recogida, prelievo, afname, afgenomen, colheita
report: report, bericht, befund, rapport, compte rendu, informe, referto, relazione, verslag, relatório
urgent: urgency, urgent, priority, dringlichkeit, priorität, urgence, priorité, urgencia, prioridad, urgenza, priorità, urgentie, spoed, urgência, prioridade
insurer: insurer, insurance company, health insurer, krankenkasse, versicherer, versicherung, assureur, mutuelle, aseguradora, assicurazione, compagnia, verzekeraar, seguradora
member: member, membership, mitglied, mitglieds, adhérent, membre, socio, afiliado, miembro, iscritto, lid, lidnummer, sócio, membro
arrival: arrival, check in, arrive, anreise, ankunft, arrivée, llegada, entrada, arrivo, aankomst, chegada
departure: departure, check out, leave, abreise, abfahrt, départ, salida, partenza, vertrek, partida, saída
room: room, zimmer, chambre, habitación, camera, stanza, kamer, quarto
person: person, persons, people, guests, guest, personen, gäste, gast, personnes, personne, personas, huésped, huéspedes, persone, ospiti, ospite, personen, gasten, pessoas, hóspede, hóspedes
adult: adults, adult, erwachsene, adultes, adultos, adulti, volwassenen
child: children, child, kinder, kind, enfants, enfant, niños, hijos, bambini, figli, kinderen, crianças, filhos
night: nights, night, nächte, nuits, noches, notti, nachten, noites
breakfast: breakfast, frühstück, petit déjeuner, desayuno, colazione, ontbijt, pequeno almoço
school: school, university, college, schule, universität, hochschule, école, université, escuela, universidad, scuola, università, school, universiteit, escola, universidade
course: course, programme, program, studiengang, kurs, formation, cursus, curso, titulación, corso, opleiding, cursus
grade: grade, mark, note, calificación, nota, voto, cijfer, classificação, grade level, klasse, classe, turma, klas, jahrgang
student: student, pupil, schüler, studierender, étudiant, élève, alumno, estudiante, studente, alunno, leerling, aluno, estudante
scholarship: scholarship, grant holder, stipendium, stipendiat, bourse, boursier, boursière, beca, becario, borsa di studio, borsista, beurs, bolsa, bolseiro
origin: origin, ursprung, herkunft, ursprungsland, origine, origen, oorsprong, origem, departs from, departure place, embarque
content: content, contents, goods, inhalt, ware, waren, contenu, marchandise, marchandises, contenido, mercancía, mercancías, contenuto, merce, merci, inhoud, goederen, conteúdo, mercadoria, mercadorias
description: description, beschreibung, bezeichnung, désignation, descriptif, descripción, descrizione, omschrijving, beschrijving, descrição, designação
tariff: tariff, hs code, hs tariff, customs tariff, zolltarif, tarifnummer, code douanier, nomenclature, arancel, partida arancelaria, codice doganale, goederencode, pauta aduaneira
order: order, purchase order, auftrag, bestellung, bestell, commande, pedido, orden, ordine, bestelling, encomenda
project: project, projekt, projet, proyecto, progetto, projeto
supplier: supplier, vendor, seller, lieferant, fournisseur, vendeur, proveedor, vendedor, fornitore, venditore, leverancier, verkoper, fornecedor
buyer: buyer, purchaser, käufer, acheteur, comprador, acquirente, compratore, koper
landlord: landlord, lessor, vermieter, bailleur, arrendador, locatore, verhuurder, senhorio
tenant: tenant, lessee, mieter, locataire, arrendatario, inquilino, locatario, conduttore, huurder, arrendatário
rent: rent, miete, kaltmiete, loyer, alquiler, renta, affitto, canone, huur, renda, aluguel
owner: owner, homeowner, eigentümer, besitzer, propriétaire, propietario, proprietario, eigenaar, proprietário
entry: entry, joined, hire, hired, eintritt, eintritts, embauche, entrée, alta, antigüedad, ingreso, assunzione, indiensttreding, in dienst, admissão
exit: exit, leaving, austritt, sortie, baja, cessazione, uitdiensttreding, uit dienst, saída
taxclass: tax class, steuerklasse
taxcode: tax code, cnpj, cpf, steuernummer, steuer id, identifikationsnummer, numéro fiscal, nif, codice fiscale, partita iva, fiscaal nummer, número de contribuinte, número fiscal
payment: payment, zahlung, paiement, règlement, pago, pagamento, betaling
bank: bank, banque, banco, banca
invoice: invoice, bill, rechnung, facture, factura, fattura, factuur, fatura
title: title, subject, betreff, titel, objet, titre, asunto, título, oggetto, titolo, onderwerp, assunto
status: status, state, zustand, statut, état, estado, stato, toestand, situação
contact: contact, contact person, ansprechpartner, kontakt, interlocuteur, contacto, persona de contacto, referente, contatto, contactpersoon, pessoa de contacto
company: company, firm, firma, unternehmen, gesellschaft, entreprise, société, empresa, sociedad, compañía, azienda, ditta, società, impresa, bedrijf, onderneming, sociedade
line: line, zeile, ligne, línea, riga, regel, linha
time: time, uhrzeit, zeit, heure, hora, ora, tijd, at time, hour, heures du, um
temperature: temperature, temperatur, température, temperatura, temperatuur
length: length, länge, longueur, longitud, lunghezza, lengte, comprimento
height: height, size, größe, höhe, taille, hauteur, estatura, altura, altezza, statura, lengte, hoogte
remark: remarks, remark, comments, notes, bemerkung, bemerkungen, anmerkung, hinweise, remarques, observations, observaciones, comentarios, osservazioni, opmerking, opmerkingen, observações, remarques diverses, notes diverses, anmerkungen, obs, nota, note, notities, note aggiuntive
odometer: mileage, odometer, kilometerstand, kilométrage, kilometraje, chilometri, chilometraggio, tellerstand, quilometragem, km stand, km, kilometres, miles
chassis: vin, chassis, fin, fahrgestellnummer, châssis, bastidor, telaio, chassisnummer, quadro, chassi, fahrzeug ident
serial: serial, s n, seriennummer, série, serie, serienummer, matricola apparecchio, serial number, fabrik nr
device: device, appliance, equipment, unit, machine, instrument, gerät, anlage, maschine, appareil, équipement, aparato, equipo, máquina, apparecchio, impianto, macchina, toestel, apparaat, installatie, aparelho, equipamento, asset
product: product, item, article, produkt, artikel, produit, producto, artículo, prodotto, articolo, produto, artigo
lot: lot, batch, charge nr, charge, los, lote, lotto, partij, partijnummer, chargennummer, batch number
quality: quality, qualität, qualité, calidad, qualità, kwaliteit, qualidade, güte
receipt: receipt, quittung, reçu, recibo, ricevuta, ontvangstbewijs, comprovativo, comprobante, justificante, kwitantie
tracking: tracking, sendungsnummer, suivi, seguimiento, tracciatura, track trace, zendingnummer, waybill, awb
handled: handled, dealt, processed, bearbeiter, bearbeitet, sachbearbeiter, sachbearbeitung, bearbeiterin, suivi par, traité, tramitado, gestionado, behandelaar, behandeld, behandelend, addetto, seguita, trattato, tratado, processado, clerk, officer, case officer, case worker, gestor, gestionnaire, gestore
case: case, file, dossier, expediente, processo, pratica, zaak, vorgang, aktenzeichen, akte, fall, affaire, procedimento, procedimiento, docket, zaaknummer
ours: our ref, our reference, unser zeichen, nos réf, nos références, ns rif, n ref, ons kenmerk
yours: your ref, your reference, ihr zeichen, vos réf, vos références, vs rif, s ref, uw kenmerk
decision: decision, outcome, result, entscheidung, ergebnis, décision, résultat, conclusion, resolución, resultado, decisión, esito, risultato, decisione, besluit, resultaat, uitslag, decisão, conclusão, verdict, finding
court: court, tribunal, gericht, rechtbank, tribunale, corte, juzgado, courtroom
hearing: hearing, audience, verhandlung, vista, udienza, zitting, audiência
plaintiff: plaintiff, kläger, klägerin, demanderesse, demandante, attore, ricorrente, eiser, autor
defendant: defendant, respondent, beklagte, beklagter, défendeur, défenderesse, demandado, convenuto, gedaagde, verweerder, réu
judge: judge, richter, richterin, juge, magistrado, juez, giudice, rechter, juiz
witness: witness, zeuge, zeugin, témoin, testigo, testimone, getuige, testemunha
father: father, vater, père, padre, vader, pai, paternità
mother: mother, mutter, mère, madre, moeder, mãe, maternità
spouse: spouse, husband, wife, ehegatte, ehegattin, ehepartner, conjoint, époux, épouse, cónyuge, coniuge, sposo, sposa, echtgenoot, partner, cônjuge, marido
deputy: deputy, substitute, vertreter, vertretung, remplaçant, suppléant, sustituto, suplente, sostituto, vervanger, waarnemer, substituto
supervisor: supervisor, manager, vorgesetzter, vorgesetzte, responsable, verantwortlich, encargado, responsabile, leidinggevende, verantwoordelijke, responsável, chefia, leader, leiter, chef, jefe, leider
technician: technician, engineer, techniker, monteur, technicien, técnico, tecnico, technicus, mechanic
inspector: inspector, tester, examiner, prüfer, contrôleur, inspecteur, ispettore, keurmeester, inspetor, prüfingenieur
tested: test, tested, inspection, inspected, examination, prüfung, geprüft, untersuchung, contrôle, contrôlé, inspección, inspeccionado, revisione, ispezione, keuring, gekeurd, inspeção, calibration, kalibrierung, étalonnage, calibración, calibrazione, kalibratie, prova, ensayo, ensaio, essai
defect: defect, defects, fault, mangel, mängel, défaut, défaillance, defecto, difetto, gebrek, gebreken, deficiência, avaria
method: method, procedure, methode, verfahren, méthode, procédure, método, procedimiento, metodo, procedura, werkwijze
traveller: traveller, traveler, passenger, reisender, reisende, fahrgast, fluggast, voyageur, passager, viajero, pasajero, viaggiatore, passeggero, reiziger, passagier, viajante, passageiro
travel: travel, trip, journey, reise, voyage, viaje, viaggio, reis, viagem, fahrt, trasferta, mission
destination: destination, bestimmung, ziel, zielort, reiseziel, destino, destinazione, bestemming
seat: seat, sitzplatz, platz, siège, asiento, plaza, posto, zitplaats, stoel, lugar, assento
reservation: booking, reservation, reserved, buchung, reservierung, réservation, reserva, prenotazione, boeking, reservering, localizador, pnr, confirmation code
price: price, cost, costs, rate, fare, preis, kosten, prix, coût, tarif, precio, coste, costo, prezzo, prijs, preço, custo, tarief, fahrpreis, expenses, spese, despesas, gastos
estimated: estimated, estimate, expected, est, geschätzt, geschätzte, geschätzter, voraussichtlich, estimé, estimée, prévu, estimado, estimada, previsto, stimato, stimata, geschat, geschatte, verwacht, planned
requested: requested, requester, required, requisitioner, angefordert, anforderer, demandé, solicitado, richiesto, aangevraagd, gewünscht, gewenst, gewenste, wanted, needed, desired, souhaité
deposit: deposit, kaution, caution, dépôt de garantie, fianza, depósito, cauzione, borg, waarborgsom, caução, security deposit, bond
refund: refund, repayable, reimbursement, reimbursed, erstattung, rückerstattung, remboursement, à rembourser, devolución, a devolver, reembolso, rimborso, a rimborsare, teruggave, terugbetaling, te vergoeden, vergoeding
advance: advance, prepayment, on account, vorschuss, vorauszahlung, anzahlung, avance, acompte, anticipo, acconto, voorschot, adiantamento
paid: paid, payed, bezahlt, gezahlt, payé, versé, pagado, abonado, pagato, versato, betaald, pago em
charges: bank fee, entgelt, commission, comisión, commissioni, comissão, provision, surcharge, zuschlag, supplément, recargo, supplemento, toeslag
insurance: insurance, assurance, seguro, assicurazione, verzekering
beneficiary: beneficiary, payee, creditor, begünstigter, bénéficiaire, créancier, beneficiario, begunstigde, beneficiário, acreedor, zahlungsempfänger
payer: payer, debtor, ordering, zahler, zahlungspflichtiger, débiteur, ordenante, ordinante, betaler, débil, pagador, pagatore, deudor
borrower: borrower, darlehensnehmer, kreditnehmer, emprunteur, prestatario, mutuatario, kredietnemer, mutuário
principal: principal, capital, kapital, capitale, kapitaal, restschuld
building: building, house, gebäude, haus, bâtiment, edificio, edifício, gebouw, property, immobile, inmueble, imóvel, woning, wohnung, logement, vivienda, flat, apartment, appartement, dwelling, object, objekt
parcel: plot, parcel, flurstück, parcelle, parcela, particella, perceel, cadastral, catastral, cadastrale, kadastraal
area: floor area, surface, fläche, superficie, oppervlakte, wohnfläche, área total, m2, square metres, size of area
works: works, construction, bau, travaux, obra, obras, lavori, bouw, construção
builder: builder, contractor, bauunternehmen, constructeur, constructora, contratista, aannemer, impresa, empreiteiro, subcontractor
key: keys, key, schlüssel, clé, clés, llave, llaves, chiave, chiavi, sleutel, sleutels, chave, chaves
water: water, wasser, eau, agua, acqua, água
electricity: electricity, electric, power, strom, électricité, électrique, electricidad, luz, luce, elettricità, elettrico, elektriciteit, elektra, stroom, eletricidade
gas: gas, gaz, erdgas, gás
energy: energy, energie, énergie, energía, energia
quantity: units, stückzahl, cantidades, stuks
page: page, pages, seite, seiten, seitenzahl, página, páginas, pagina, pagine, sheets, blätter
fax: fax, facsimile, telefax, télécopie, faxnummer
subject: re, concerne, betreff, betr, betreft, ref asunto, topic, matter
to: to, an, attention, attn, zu händen, à l attention de, a la atención de, t a v, alla c a, ao cuidado de
warranty: warranty, guarantee, garantie, garantía, garanzia, gewährleistung, garantia
bought: bought, purchased, purchase, kauf, gekauft, kaufdatum, achat, acheté, compra, comprado, acquisto, acquistato, aankoop, gekocht
dealer: dealer, retailer, reseller, händler, revendeur, distribuidor, rivenditore, verkoper, revendedor, stockist
medicine: medicine, drug, medication, arzneimittel, medikament, médicament, medicamento, farmaco, geneesmiddel, medicinale
dose: dose, dosage, dosierung, posologie, posología, posologia, dosering, dosis
treatment: treatment, therapy, behandlung, traitement, tratamiento, trattamento, terapia, behandeling, tratamento, soins, cura
appointment: appointment, visit, termin, rendez vous, consultation, cita, visita, appuntamento, afspraak, consulta, consult
clinic: clinic, hospital, klinik, krankenhaus, hôpital, clínica, ospedale, ziekenhuis
specialty: specialty, speciality, fachrichtung, spécialité, especialidad, specialità, specialisme, especialidade
average: average, mean, durchschnitt, moyenne, media, gemiddelde, média
absence: absent, absence, absences, fehltage, ausencia, faltas, assenze, verzuim, afwezig
leave: leave, holiday, vacation, urlaub, congé, congés, vacaciones, ferie, verlof, vakantie, férias
host: host, inviting, gastgeber, hôte, organisateur, anfitrión, ospitante, gastheer, anfitrião, organiser
visa: visa, visum, visto, visado
stay: stay, aufenthalt, séjour, estancia, soggiorno, verblijf, estada, accommodation, hébergement, alojamiento, alloggio, unterkunft
notice: notice, preaviso, préavis, preavviso, kündigungsfrist, opzegtermijn, pré aviso, avis, bescheid, avviso, aviso, aanslag
minimum: minimum, mindest, mínima, minima, minimale, mínimo, minimo
registered: registered, registration, registrant, register, eingetragen, eintragung, enregistré, inscrit, inscription, registrado, inscrito, inscripción, registrato, iscritto, iscrizione, geregistreerd, inschrijving, registado, registo, enrolment, anmeldung, angemeldet
performed: performed, executed, done, ausgeführt, ausführung, durchgeführt, exécuté, exécution, effectué, ejecutado, realizado, eseguito, esecuzione, uitgevoerd, uitvoering, executado, completion, completed, fertigstellung
booked: booked, value date, wertstellung, valuta, buchungstag, date de valeur, fecha valor, data valuta, valutadatum, data valor
declared: declared, customs, zoll, douane, aduana, dogana, doganale, duane, alfândega, aduaneiro, statistical, declaration
commodity: commodity, warennummer, goederencode, codice merce
percent: percent, percentage, rate of, prozent, pourcentage, porcentaje, percentuale, percentagem, taux, tipo, tasso, taxa
assessment: assessment, assessed, veranlagung, festgesetzt, liquidación, imposition, accertamento, liquidação
role: role, capacity, qualité, cargo, carica, hoedanigheid, funktion, mandate
plan: plan, tariff, tarif, tarifa, piano, pakket, paket, tarifário, package plan, subscription plan
subscription: subscription, subscriber no, abo, abonnement, suscripción, abbonamento, assinatura de serviço
service: service, services, dienst, leistung, servicio, servizio, serviço, prestation
costcentre: cost centre, cost center, kostenstelle, centre de coût, centro de coste, kostenplaats, centro di costo, centro de custo
`

/** Meanings that many labels have: they tell little alone. */
const light = new Set('no date name amount total kind by count'.split(' '))

/** Words between the others that mean nothing. */
const fillers = new Set(
  'the a an of for in and or to at is your our its their der die das des dem den und für im in ihr ihre ihrer unser le la les l de du des d et en au aux à votre notre el los las del y e su sus nuestro il lo gli i della dello dei degli delle di al alla vostro nostro het een van voor uw ons en te o os as do da dos das para seu sua s mr mrs please bitte dd mm yyyy yy tt jj aaaa jjjj gg'.split(
    ' ',
  ),
)

const wordPattern = /[\p{L}\p{N}]+|[#№º°]/gu

/** The folded words of a label or a name; `N.º` and `#` are words for number. */
function wordsOf(text: string): readonly string[] {
  if (/^[\x20-\x26\x28-\x2d/-~]*$/.test(text) && !text.includes('#')) return text.toLowerCase().match(/[a-z\d]+/g) ?? []
  const plain = /[º°'’.]/u.test(text)
    ? text
        .replace(/(?<![\p{L}\p{N}])n\s?[.]?\s?[º°](?!\p{L})/giu, ' nr ')
        .replace(/['’]s(?!\p{L})/gu, '')
        .replace(/(?<!\p{L})(?:\p{L}\.){2,}/gu, (letters) => letters.replaceAll('.', ''))
    : text
  return [...plain.matchAll(wordPattern)].map(([word]) => (/[#№º°]/u.test(word) ? 'nr' : fold(word)))
}

const byPhrase = new Map<string, Set<string>>()
/** The number of words of the longest phrase that starts with a word. */
const longestFrom = new Map<string, number>()
for (const line of meanings.split('\n')) {
  const at = line.indexOf(':')
  if (at < 0) continue
  for (const phrase of line.slice(at + 1).split(',')) {
    const words = wordsOf(phrase)
    const key = words.join(' ')
    const [first = ''] = words
    longestFrom.set(first, Math.max(longestFrom.get(first) ?? 1, words.length))
    byPhrase.set(key, (byPhrase.get(key) ?? new Set()).add(line.slice(0, at)))
  }
}

/** A word of a label or a name with its meanings; without any, the word itself. */
export interface MeantWord {
  readonly word: string
  readonly meanings: ReadonlySet<string>
  readonly weight: number
}

const lightWeight = 0.4

const partLettersMin = 3

/** The parts of a compound of two known words, with a linking letter or without: `geburtsdatum`, `zimmernummer`. */
const partsOf = remembered((word): readonly [string, string] | null => {
  for (let at = word.length - partLettersMin; at >= partLettersMin; at--) {
    const last = word.slice(at)
    if (!byPhrase.has(last)) continue
    const first = word.slice(0, at)
    const stem = [first, first.replace(/(?:s|n|en|es|e)$/u, ''), `${first}e`, `${first}en`].find((one) =>
      one.length >= partLettersMin ? byPhrase.has(one) : false,
    )
    if (stem !== undefined) return [stem, last]
  }
  return null
})

/** Units in names of fields, which labels seldom have: `volume_m3`. */
const units = new Set('eur usd gbp chf mxn brl percent pct mg dl ml cl um m2 m3 cm mm kwh kw lux mt kmh t l'.split(' '))
const unitWeight = 0.2

const meant = (word: string, share = 1): MeantWord => {
  const found = byPhrase.get(word) ?? new Set([word])
  const weight = units.has(word) ? unitWeight : [...found].every((one) => light.has(one)) ? lightWeight : 1
  return { word, meanings: found, weight: share * weight }
}

/** Words in front of what only specifies the words before: `Purpose of loan`. */
const genitives = new Set('of de du des di del della do da van von der'.split(' '))
const specifiedShare = 0.5

/** What a word or a phrase means, looked up once. */
interface Looked {
  readonly longest: number
  readonly isFiller: boolean
  readonly isGenitive: boolean
  /** Its meanings, or those of the parts of a compound. */
  readonly whole: readonly MeantWord[]
  /** The same where it specifies the words before. */
  readonly specifying: readonly MeantWord[]
}

const lookUp = remembered((word): Looked => {
  const parts = (byPhrase.has(word) ? null : partsOf(word)) ?? [word]
  return {
    longest: longestFrom.get(word) ?? 1,
    isFiller: fillers.has(word),
    isGenitive: genitives.has(word),
    whole: parts.map((part) => meant(part)),
    specifying: parts.map((part) => meant(part, specifiedShare)),
  }
})

/**
 * True for a text that is a label by its words: they are words of forms, at least one for a date, a number, a name or an address is among
 * them, and there is no figure. `Original date / revision` is no value.
 */
export function isLabelByWords(text: string): boolean {
  if (/\d/.test(text)) return false
  const words = meantWords(text)
  const known = words.filter(({ word }) => byPhrase.has(word))
  const isOfPerson = ({ word, meanings }: MeantWord): boolean =>
    byPhrase.has(word) && [...meanings].every((one) => /^(?:name|surname|forename|place|address|postcode)$/.test(one))
  if (words.length > 0 && words.every(isOfPerson)) return true
  return (
    known.length * 2 >= words.length &&
    known.some(({ word }) =>
      /(?:^| )(?:dates?|datum|fecha|name|namen|number|nummer|numero|nr|code|ref|address|adresse|anschrift)$/u.test(
        word,
      ),
    )
  )
}

/** The words of a text that mean something: the longest known phrases, the parts of compounds, and other words as they are. */
export const meantWords: (text: string) => readonly MeantWord[] = remembered((text) => {
  const words = wordsOf(text)
  const found: MeantWord[] = []
  let isSpecifying = false
  // A rate is another quantity than what it is a rate of: `price_per_m2`.
  const isRate = words.includes('per')
  for (let at = 0; at < words.length; ) {
    let looked = lookUp(words[at] ?? '')
    let count = Math.min(looked.longest, words.length - at)
    for (; count > 1; count--) {
      const phrase = words.slice(at, at + count).join(' ')
      if (!byPhrase.has(phrase)) continue
      looked = lookUp(phrase)
      break
    }
    at += count
    if (looked.isGenitive && found.some(({ weight }) => weight === 1)) isSpecifying = true
    if (count === 1 && looked.isFiller) continue
    for (const one of isSpecifying ? looked.specifying : looked.whole)
      found.push(isRate && units.has(one.word) ? { ...one, weight: 1 } : one)
  }
  return found
})

/** Of the words of a text, the share that forms use in labels, and that only join others. */
export const wordKinds: (text: string) => { readonly ofForms: number; readonly joining: number } = remembered(
  (text) => {
    const words = wordsOf(text)
    const count = Math.max(1, words.length)
    return {
      ofForms: words.filter((word) => byPhrase.has(word) && !fillers.has(word)).length / count,
      joining: words.filter((word) => fillers.has(word)).length / count,
    }
  },
)
