/**
 * Words of labels by their meaning, in English, German, French, Spanish, Italian, Dutch and Portuguese: the meaning, then words and phrases
 * separated by commas. A German or Dutch compound is read by its parts: `Geburtsdatum` is birth and date.
 */
export const meanings = `
no: number, no, nr, num, id, identifier, code, ref, reference, nummer, kennung, kennzeichen, referenz, zeichen, numero, numéro, référence, matricule, número, núm, referencia, código, clave, codice, riferimento, matricola, kenmerk, referentie, referência, folio, n, reg, regnr, registernummer, folio no, numerical, cod, nrs
date: date, dates, day, days, on, dated, datum, daten, tag, fechas, datas, jour, fecha, día, data, giorno, dag, dia, am, op, em, dato
name: name, full name, namen, nom, nombre, nome, naam, nominativo, denominazione, vor und nachname, voor en achternaam, nom et prénom, nombre y apellidos, nome e cognome, nome completo, naam en voornaam, nombre completo, print, druckbuchstaben, raison sociale, razón social, ragione sociale, denominação, business name
amount: amount, value, sum, betrag, summe, wert, montant, valeur, somme, importe, valor, cuantía, importo, valore, bedrag, waarde, som, montante, quantia, valor total, cantidad, cuantía total, sommes
total: total, grand total, total général, total general, total geral, totale generale, eindtotaal, gesamtsumme, overall, gesamt, insgesamt, totaal, totale, globale
kind: type, kind, category, class, art, typ, kategorie, catégorie, genre, tipo, clase, categoría, categoria, soort, klasse, modality, modalidad, modalité, formule, nature, natura, naturaleza, tipologia, tipología, espécie, especie, beschaffenheit
by: by, durch, door, par, por, da parte di, pela, pelo, with, von wem
birth: birth, born, dob, date of birth, geburt, geboren, naissance, né, née, nacimiento, nacido, nascita, nato, nata, geboorte, nascimento, geb, nac, nasc, nat, naturalidade, natural, geboortig, birthdate
surname: surname, last name, family name, nachname, familienname, zuname, nom de famille, apellido, apellidos, cognome, achternaam, familienaam, apelido, sobrenome, naam
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
employee: employee, worker, staff, personnel, arbeitnehmer, mitarbeiter, mitarbeiterin, personal, salarié, employé, empleado, trabajador, dipendente, lavoratore, werknemer, medewerker, personeel, funcionário, empregado, trabalhador, colaborador, collaborateur, collaborator, collaboratore, intervenant, operatore, operario, agent, agente
employer: employer, arbeitgeber, employeur, empleador, empresa, datore di lavoro, werkgever, empregador, entidade patronal
department: department, division, abteilung, service, département, departamento, sección, reparto, ufficio, afdeling, dept, abt, afd, sezione, secção, bureau, unit, unidad, unidade, unità, ward
position: position, job title, occupation, profession, beruf, tätigkeit, funktion, emploi, poste, fonction, profession, puesto, cargo, profesión, ocupación, professione, mansione, qualifica, functie, beroep, profissão, função
gross: gross, brutto, brut, bruto, bruta, lordo, lorda, ilíquido
net: net, nett, netto, neto, neta, netta, líquido, líquida
pay: pay, salary, wage, wages, earnings, remuneration, gehalt, lohn, bezüge, verdienst, vergütung, entgelt, salaire, rémunération, traitement, salario, sueldo, nómina, retribución, stipendio, retribuzione, paga, salaris, loon, salário, vencimento, remuneração, ordenado, remuneração base, compensation, verdiensten, bezoldiging, loonstrook
payout: payout, amount paid, take home, auszahlung, auszahlungsbetrag, net à payer, net payé, líquido a percibir, netto in busta, netto a pagare, uitbetaald, uit te betalen, líquido a receber, auszuzahlen, nettoverdienst, uitbetaling
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
customer: customer, client, account holder, kunde, kunden, abonné, cliente, intestatario, klant, subscriber, auftraggeber, kd, kdnr, klantnr, donneur d ordre, mandante, committente, opdrachtgever, purchaser of service, abonnent, abonado, end client, prospect
contract: contract, agreement, vertrag, vertrags, contrat, contrato, contratto, overeenkomst, convention, convenio, accordo, acordo, accord, vereinbarung, bail
policy: policy, police, versicherungsschein, versicherungsnummer, póliza, polizza, polis, apólice
insured: insured, policyholder, policy holder, insured person, versicherungsnehmer, versicherte, versicherter, assuré, souscripteur, asegurado, tomador, contraente, assicurato, verzekerde, verzekeringnemer, segurado, tomador do seguro, assistito, utente, utente saúde, versicherungsnehmerin, policy owner
premium: premium, prämie, beitrag, prime, cotisation, prima, premio, premie, prémio
cover: cover, coverage, sum insured, limit, deckung, deckungssumme, versicherungssumme, garantie, capital assuré, plafond, cobertura, suma asegurada, massimale, copertura, somma assicurata, dekking, verzekerd bedrag, capital seguro, limite
claim: claim, damage, loss, schaden, schadens, sinistre, siniestro, sinistro, schade, loss event, schadensfall, schadefall, accident, unfall, accidente, incidente, ongeval, acidente, infortunio, incident
excess: excess, deductible, selbstbeteiligung, selbstbehalt, franchise, franquicia, franchigia, eigen risico, franquia
plate: licence plate, license plate, plate, registration mark, vehicle registration, registration no, kennzeichen, amtliches kennzeichen, immatriculation, plaque, matrícula, targa, kenteken, kentekenplaat, placa, kennz, kfz, nummerplaat, vehicle mark, immat, targato, kfz kennzeichen
vehicle: vehicle, car, fahrzeug, véhicule, voiture, vehículo, coche, veicolo, autoveicolo, auto, voertuig, veículo, viatura, truck, lkw, camion, camión, vrachtwagen, caminhão, automobile, automóvil, automóvel
brand: make, brand, marke, marque, marca, merk, fabricante
model: model, modell, modèle, modelo, modello
meter: meter, zähler, compteur, contador, contatore, medidor
reading: reading, zählerstand, stand, relevé, relève, index, lectura, lettura, meterstand, leitura
previous: previous, old, last, former, vorheriger, alter, alte, letzte, ancien, ancienne, précédent, précédente, anterior, precedente, vorige, oude, antigo, antérieur
new: new, current, present, actual, neuer, neue, aktueller, aktuell, nouveau, nouvelle, actuel, actuelle, nuevo, nueva, attuale, nuovo, nuova, nieuwe, huidige, atual, novo, nova
consumption: consumption, usage, used, verbrauch, consommation, conso, consumo, verbruik
delivery: delivery, deliver, delivered, supply, lieferung, liefer, zustellung, livraison, entrega, consegna, levering, lever, aflevering
point: point, stelle, punto, punt, ponto
note: note, slip, schein, bon, bordereau, albarán, nota, bolla, bulletin, guia
shipment: shipment, consignment, dispatch, sendung, versand, expédition, envoi, envío, expedición, spedizione, zending, verzending, envio, expedição
carrier: carrier, haulier, forwarder, spediteur, frachtführer, transporteur, transportista, vettore, trasportatore, spedizioniere, vervoerder, transportador, transportadora, transported, haulage, transport, transporte, trasporto, vervoer
driver: driver, fahrer, chauffeur, conducteur, conductor, conducente, autista, bestuurder, condutor, motorista
package: package, packages, parcel, parcels, packstück, packstücke, kolli, colis, bulto, bultos, collo, colli, pakket, pakketten, volumes, pieces, pcs, stück, cartons, kartons, boxes, cajas, scatole, dozen, caixas, piece, containers
count: number of, count, quantity, qty, anzahl, menge, nombre de, nombre d, quantité, cantidad, quantità, aantal, hoeveelheid, quantidade
weight: weight, gewicht, poids, peso, wt, mass, masse, masa, massa, kg
volume: volume, volumen
pallet: pallet, pallets, palette, paletten, palettes, palé, palés, palet, pallets, palete, paletes
load: loading, load, pick up, pickup, collection, lade, lader, beladung, abholung, verlade, chargement, enlèvement, carga, recogida, carico, ritiro, laad, laden, laadadres, recolha
unload: unloading, unload, entlade, entladung, abladen, déchargement, descarga, scarico, los, lossen, losadres
warehouse: warehouse, lager, entrepôt, almacén, magazzino, magazijn, armazém
sender: sender, shipper, consignor, exporter, absender, versender, exporteur, expéditeur, exportateur, remitente, expedidor, exportador, mittente, speditore, esportatore, afzender, verzender, remetente
recipient: recipient, consignee, addressee, receiver, importer, empfänger, importeur, destinataire, importateur, destinatario, consignatario, importador, ricevente, importatore, ontvanger, geadresseerde, destinatário
received: received, erhalten, empfangen, reçu, réceptionné, recibido, ricevuto, ontvangen, recebido, eingegangen, eingangsdatum, ingekomen
signatory: signatory, signer, undersigned, unterzeichner, signataire, firmante, firmatario, ondertekenaar, signatário
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
serial: serial, s n, seriennummer, fabriknummer, fabrikationsnummer, werknummer, série, serie, serienummer, matricola apparecchio, serial number, fabrik nr
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
payer: payer, debtor, ordering, zahler, zahlungspflichtiger, débiteur, ordenante, ordinante, betaler, pagador, pagatore, deudor
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
subject: re, concerne, betreff, betr, betreft, topic, matter
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
declared: declared, customs, zoll, douane, aduana, dogana, doganale, alfândega, aduaneiro, statistical, declaration
commodity: commodity, warennummer, goederencode, codice merce
percent: percent, percentage, rate of, prozent, pourcentage, porcentaje, percentuale, percentagem, taux, tipo, tasso, taxa
assessment: assessment, assessed, veranlagung, festgesetzt, liquidación, imposition, accertamento, liquidação
role: role, capacity, qualité, cargo, carica, hoedanigheid, funktion, mandate
plan: plan, tariff, tarif, tarifa, piano, pakket, paket, tarifário, package plan, subscription plan
subscription: subscription, subscriber no, abo, abonnement, suscripción, abbonamento, assinatura de serviço
service: service, services, dienst, leistung, servicio, servizio, serviço, prestation
costcentre: cost centre, cost center, kostenstelle, centre de coût, centro de coste, kostenplaats, centro di costo, centro de custo
speed: speed, velocity, geschwindigkeit, tempo, vitesse, velocidad, velocità, snelheid, velocidade
limit: speed limit, maximum allowed, höchstwert, grenzwert, valeur limite, límite, limite, grenswaarde, valor limite
offence: offence, offense, infringement, violation, contravention, ordnungswidrigkeit, verstoß, tat, tatort, infraction, infracción, violazione, infrazione, overtreding, inbreuk, infração, contraordenação
penalty: fine, penalty, bußgeld, geldbuße, verwarnungsgeld, strafe, amende, pénalité, multa, sanción, sanzione, ammenda, boete, coima
taxpayer: taxpayer, steuerpflichtiger, steuerpflichtige, abgabepflichtiger, gebührenpflichtiger, gebührenpflichtige, contribuable, contribuyente, sujeto pasivo, contribuente, belastingplichtige, contribuinte, sujeito passivo
reminder: reminder, dunning, mahnung, zahlungserinnerung, rappel, relance, recordatorio, sollecito, aanmaning, herinnering, lembrete, aviso de cobrança
arrears: arrears, overdue, past due, rückstand, rückstände, nachzahlung, impayé, arriéré, atraso, atrasos, deuda, arretrati, morosità, achterstand, achterstallig, dívida
previousbalance: previous balance, prior balance, balance forward, balance brought forward, saldo anterior, solde antérieur, vorsaldo, saldo precedente, vorig saldo, solde précédent, ancien solde, vorheriger saldo, alter saldo, oud saldo
discount: discount, rebate, reduction, reduced, rabatt, nachlass, ermäßigung, skonto, remise, rabais, réduction, ristourne, descuento, bonificación, sconto, riduzione, abbuono, korting, desconto
vatrate: vat rate, tax rate, mwst satz, steuersatz, taux de tva, taux tva, tipo de iva, tipo iva, aliquota, aliquota iva, btw tarief, btw percentage, taxa de iva, taxa iva
taxbase: taxable amount, tax base, taxable, bemessungsgrundlage, base imposable, base imponible, imponibile, belastbaar, maatstaf van heffing, base tributável
subtotal: subtotal, sub total, zwischensumme, sous total, suma parcial, subtotale, totale parziale, subtotaal, parcial
rounding: rounding, rundung, arrondi, redondeo, arrotondamento, afronding, arredondamento
change: change given, change due, rückgeld, wechselgeld, rendu monnaie, monnaie rendue, monnaie, cambio, resto, wisselgeld, troco
tendered: tendered, amount tendered, gegeben, bar gegeben, entregado, efectivo entregado, contanti, contante, gegeven, entregue em dinheiro
cash: cash, bar, barzahlung, espèces, efectivo, contanti, contant, numerário, dinheiro
card: card, credit card, debit card, karte, kreditkarte, carte, carte bancaire, tarjeta, carta di credito, kaart, pas, cartão
cashier: cashier, operator, clerk, kassierer, kassiererin, bediener, caissier, caissière, cajero, cajera, operador, cassiere, operatore, kassier, kassamedewerker, caixa operador
till: till, register no, cash register, terminal, kasse, kassennummer, caisse, caja, cassa, kassa, caixa
shop: shop, store, merchant, mart, geschäft, markt, händler, magasin, commerce, boutique, commerçant, tienda, comercio, establecimiento, negozio, esercente, punto vendita, winkel, loja, estabelecimento, comerciante
tip: tip, gratuity, trinkgeld, pourboire, propina, mancia, fooi, gorjeta
table: table no, tisch, tischnummer, mesa, tavolo, tafel
covers: covers, gedecke, couverts, cubiertos, coperti
maturity: maturity, matures, fälligkeitstag, endfälligkeit, échéance finale, vencimiento final, scadenza finale, afloopdatum, maturidade, settlement date, settled, settlement, abrechnungstag, regolamento, afwikkeling
trade: trade, trade date, deal, transaction, handelstag, abschluss, opération, transacción, operación, operazione, transactie, transação, negociação
exchangerate: exchange rate, forward rate, spot rate, wechselkurs, kurs, devisenkurs, taux de change, cours, tipo de cambio, cambio aplicado, tasso di cambio, wisselkoers, koers, taxa de câmbio
currency: currency, währung, devise, valuta, moneda, divisa, munteenheid, moeda
sold: sold, sell, sale, sales, verkauft, verkauf, vendu, vente, ventes, vendido, venta, ventas, venduto, vendita, vendite, verkocht, verkoop, venda, vendas
share: share, shares, ownership share, anteil, anteile, part, parts, quote part, quota, quotas, tantième, tantièmes, millièmes, participación, coeficiente, acción, acciones, azioni, millesimi, aandeel, aandelen, quotum, cota, fração
sharecapital: share capital, stammkapital, grundkapital, capital social, capitale sociale, maatschappelijk kapitaal
allowance: allowance, allowances, freibetrag, pauschale, indemnité, forfait, dieta, dietas, indennità, toelage, ajuda de custo, subsídio
subsidy: subsidy, grant, aid, zuschuss, förderung, förderbeitrag, beihilfe, subvention, aide, subvención, ayuda, sovvenzione, subsidie, subsidiebedrag, subvenção, apoio
bonus: bonus, sonderzahlung, weihnachtsgeld, urlaubsgeld, prime, gratification, gratificación, tredicesima, premio produzione, vakantiegeld, vakantietoeslag, eindejaarspremie, gratificação, subsídio de férias, subsídio de natal
travelcost: travel expenses, travel costs, reisekosten, fahrtkosten, frais de déplacement, gastos de viaje, gastos de desplazamiento, spese di viaggio, reiskosten, despesas de deslocação
labour: labour, labor, labour cost, workmanship, arbeitszeit, arbeitslohn, arbeitskosten, main d œuvre, main d oeuvre, mano de obra, manodopera, arbeidsloon, arbeidskosten, mão de obra
parts: parts, spare parts, ersatzteile, ersatzteil, pièces, pièces détachées, piezas, repuestos, recambios, ricambi, onderdelen, peças
shipping: shipping, postage, freight, freight charge, carriage, versandkosten, porto, fracht, frais de port, frais de transport, portes, portes de envío, flete, gastos de envío, spese di spedizione, nolo, verzendkosten, portokosten, vracht, vrachtkosten, portes de envio, frete
incoterm: incoterm, incoterms, delivery terms, terms of delivery, lieferbedingung, lieferbedingungen, conditions de livraison, condiciones de entrega, termini di consegna, resa, leveringsvoorwaarden, condições de entrega
paymentterms: payment terms, terms of payment, zahlungsbedingung, zahlungsbedingungen, zahlungsziel, conditions de paiement, conditions de règlement, condiciones de pago, forma de pago, condizioni di pagamento, betalingsvoorwaarden, betalingstermijn, condições de pagamento
paymentmethod: payment method, method of payment, payment type, mode of payment, paid by, zahlungsart, zahlungsweise, zahlart, mode de paiement, mode de règlement, moyen de paiement, medio de pago, método de pago, modalità di pagamento, metodo di pagamento, betaalwijze, betaalmethode, meio de pagamento, forma de pagamento
directdebit: direct debit, sepa, mandate reference, lastschrift, einzugsermächtigung, sepa mandat, prélèvement, prélèvement automatique, domiciliation, domiciliación, adeudo, addebito, addebito diretto, incasso, automatische incasso, domiciliëring, débito direto
transfer: transfer, bank transfer, remittance, überweisung, virement, transferencia, bonifico, overschrijving, transferência
paymentreference: payment reference, zahlungsreferenz, referenznummer, communication, communication structurée, référence de paiement, référence de virement, concepto, concepto de pago, causale, betalingskenmerk, gestructureerde mededeling, mededeling, referência de pagamento, reference for payment
cheque: cheque, check no, scheck, chèque, cheque, assegno
bankcode: bic, swift, sort code, routing number, blz, bankleitzahl, code banque, abi, cab, código swift
proceeds: proceeds, erlös, produit de la vente, producto de la venta, ricavo, opbrengst, receita
lossamount: loss amount, schadenhöhe, schadensumme, montant du sinistre, montant des dommages, importe de los daños, ammontare del danno, schadebedrag, montante do dano
propertyvalue: assessed value, market value, taxable value, appraised value, rateable value, cadastral value, verkehrswert, einheitswert, grundsteuerwert, valeur locative, valeur vénale, valeur cadastrale, valor catastral, valor de tasación, rendita catastale, valore catastale, woz waarde, kadastraal inkomen, valor patrimonial
exempt: exempt, exemption, exempted, befreit, befreiung, exonéré, exonération, dispense, exento, exención, esente, esenzione, vrijgesteld, vrijstelling, isento, isenção
credit: credit, credits, gutschrift, guthaben, avoir, crédit, crédito, abono, accredito, tegoed, creditnota
debit: debit, belastung, soll, débit, débito, addebito, debet
fiscalyear: fiscal year, tax year, steuerjahr, veranlagungsjahr, wirtschaftsjahr, exercice fiscal, année d imposition, exercice d imposition, ejercicio fiscal, anno d imposta, aanslagjaar, belastingjaar, ano fiscal, exercício fiscal
quarter: quarter, quarterly, quartal, trimestre, kwartaal
semester: semester, half year, half yearly, halbjahr, semestre, semestre académico
schoolyear: schuljahr, school year, academic year, année scolaire, curso académico, curso escolar, anno scolastico, schooljaar, ano letivo, ano lectivo
fortnightly: fortnightly, biweekly, zweiwöchentlich, bimensuel, quincenal, quindicinale, tweewekelijks, quinzenal
daily: daily, per day, täglich, tages, quotidien, journalier, diario, diaria, giornaliero, dagelijks, diário, diária
weekly: weekly, per week, wöchentlich, hebdomadaire, semanal, settimanale, wekelijks
perhour: hourly, hourly rate, per hour, stundensatz, stundenlohn, taux horaire, horaire, precio hora, tarifa horaria, tariffa oraria, oraria, uurtarief, uurloon, valor hora
minutes: minutes, minute, min, minuten, minutos, minuti
seconds: seconds, sekunden, secondes, segundos, secondi, seconden
daycount: days, number of days, day count, tage, anzahl tage, jours, nombre de jours, días, número de días, giorni, numero di giorni, dagen, aantal dagen, dias, número de dias
late: late, lateness, delay, delayed, verspätung, verspätet, retard, retards, retraso, retrasos, ritardo, ritardi, vertraging, te laat, atraso horário
morning: morning, vormittag, matin, mañana, mattina, ochtend, voormiddag, manhã
evening: evening, afternoon, nachmittag, abend, après midi, soir, tarde, noche, pomeriggio, sera, namiddag, avond, noite
opening: opening, opened, open, öffnung, eröffnet, eröffnung, ouverture, apertura, abierto, abertura
closing: closing, closed, close, schluss, abschluss, geschlossen, clôture, fermeture, cierre, cerrado, chiusura, chiuso, sluiting, gesloten, fecho, encerramento
started: started, started at, began, begonnen, gestartet, beginn um, commencé, iniciado, comenzado, iniziato, gestart, iniciada
finished: finished, resolved, ended at, completed at, beendet, erledigt, behoben, abgeschlossen, terminé, résolu, finalizado, terminado, resuelto, terminato, concluso, afgerond, opgelost, voltooid, concluído, terminado em
cancelled: cancelled, canceled, cancellation, cancel, storniert, stornierung, storno, abgesagt, annulé, annulation, résiliation, cancelado, cancelación, anulado, anulación, annullato, annullamento, disdetta, geannuleerd, annulering, opzegging, anulado, cancelamento
termination: termination, terminated, notice of termination, kündigung, gekündigt, rescisión, recesso, risoluzione, ontbinding, rescisão
renewal: renewal, renewed, renews, verlängerung, erneuerung, renouvellement, reconduction, renovación, prórroga, rinnovo, proroga, verlenging, vernieuwing, renovação
changed: changed, change, changes, modification, modified, amended, amendment, änderung, geändert, modification, modifié, modificación, modifica, variazione, wijziging, gewijzigd, alteração
sent: sent, mailed, posted, dispatched, gesendet, versandt, abgesandt, envoyé, enviado, remitido, spedito, inviato, verzonden, verstuurd, expedido
returned: returned, return, returns, give back, rückgabe, zurückgegeben, retour, restitution, restitué, devuelto, devolver, restituzione, riconsegna, reso, teruggave, teruggebracht, retour, inleverdatum, inleveren, devolução, devolvido
handover: handover, hand over, handing over, übergabe, übergeben, remise, remise des clés, traspaso, consegna chiavi, overdracht, oplevering
borrowed: borrowed, lent, loaned, lending, rental, rented, hire period, hired out, geliehen, ausgeliehen, leihe, emprunté, alquilado, prestado, noleggio, comodato, geleend, bruikleen, uitgeleend, verhuur, emprestado, aluguer
weighed: weighed, weighing, weighbridge, scale, wägung, gewogen, waage, pesée, pesage, bascule, pesaje, báscula, pesata, pesa, weging, gewogen, weegbrug, pesagem, balança
tare: tare, tara, leergewicht, empty weight, leer, poids à vide, tarra
moisture: moisture, humidity, feuchte, feuchtigkeit, feuchtegehalt, luftfeuchte, luftfeuchtigkeit, humidité, humedad, umidità, vocht, vochtgehalte, luchtvochtigheid, humidade
pressure: pressure, druck, pression, presión, pressione, waterdruk, pressão
power: power output, rated power, nominal power, nennleistung, leistung kw, puissance, potencia, potencia contratada, potenza, potenza impegnata, vermogen, potência, potência contratada
capacity: capacity, tragfähigkeit, fassungsvermögen, kapazität, capacité, charge utile, capacidad, capacità, portata, draagvermogen, capaciteit, capacidade
voltage: voltage, spannung, tension, tensión, voltaje, tensione, spanning, tensão
amperage: amps, ampere, current rating, stromstärke, intensité, intensidad, corrente, stroomsterkte
frequency: frequency, frequenz, häufigkeit, fréquence, périodicité, frecuencia, periodicidad, frequenza, periodicità, frequentie, frequência
width: width, breadth, breite, largeur, ancho, anchura, larghezza, breedte, largura
depth: depth, tiefe, profondeur, profundidad, profondità, diepte, profundidade
thickness: thickness, dicke, stärke, épaisseur, espesor, spessore, dikte, espessura
diameter: diameter, durchmesser, diamètre, diámetro, diametro, doorsnede, diâmetro
distance: distance, entfernung, strecke, abstand, distancia, distanza, afstand, distância
result: result, results, value, ergebnis, ergebnisse, wert, résultat, résultats, valeur, resultado, resultados, valor, risultato, risultati, esito, valore, resultaat, resultaten, uitslag, waarde
unit: unit, unit of measure, einheit, maßeinheit, unité, unidad, unidad de medida, unità, unità di misura, eenheid, unidade
analysis: test, analysis, parameter, analyse, untersuchung, examen, análisis, estudio, prueba, analisi, esame, parametro, bepaling, onderzoek, exame, análise
measured: measured value, measured, measurement, result value, messwert, gemessen, messung, valeur mesurée, mesure, mesuré, valor medido, medida, medición, valore misurato, misura, misurazione, meetwaarde, gemeten, meting, medição
nominal: nominal, setpoint, target value, sollwert, nennwert, valeur nominale, consigne, valor nominal, valore nominale, nominale waarde, streefwaarde
tolerance: tolerance, deviation, error, toleranz, abweichung, messabweichung, tolérance, écart, erreur, tolerancia, desviación, tolleranza, scostamento, afwijking, tolerantie, tolerância, desvio
uncertainty: uncertainty, messunsicherheit, unsicherheit, incertitude, incertidumbre, incertezza, meetonzekerheid, onzekerheid, incerteza
referencerange: reference range, normal range, reference interval, referenzbereich, normbereich, valeurs de référence, valeurs usuelles, valores de referencia, valori di riferimento, referentiewaarden, valores de referência
standard: standard, norm, norme, norma, richtlijn
regulation: regulation, law, legal basis, article, gesetz, verordnung, rechtsgrundlage, paragraph, loi, règlement, article, base légale, ley, reglamento, legge, normativa, regolamento, wet, regeling, wetsartikel, lei, regulamento, legal
fuel: fuel, fuel type, kraftstoff, brennstoff, treibstoff, carburant, combustible, carburante, combustibile, alimentazione, brandstof, combustível
engine: engine, motor, engine number, moteur, motore, cilindrada, hubraum, cylindrée
colour: colour, color, farbe, couleur, coloris, colore, kleur, cor
trailer: trailer, anhänger, auflieger, remorque, semi remorque, remolque, rimorchio, aanhanger, oplegger, reboque
firstregistration: first registration, first registered, erstzulassung, première immatriculation, mise en circulation, première mise en circulation, primera matriculación, prima immatricolazione, eerste toelating, eerste inschrijving, primeira matrícula
buildyear: year of construction, year built, built, construction year, year of manufacture, manufactured, baujahr, herstellungsjahr, année de construction, construit, année de fabrication, año de construcción, año de fabricación, anno di costruzione, anno di fabbricazione, bouwjaar, fabricagejaar, ano de construção, ano de fabrico
manufacturer: manufacturer, maker, producer, hersteller, fabrikant, fabricant, fabricante, productor, costruttore, produttore, producent, produtor
occupants: occupants, occupancy, number of occupants, household size, personenzahl, bewohner, nombre d occupants, ocupantes, número de ocupantes, occupanti, componenti, nucleo familiare, bewoners, aantal bewoners, agregado
resident: resident, occupier, occupant, inhabitant, bewohnerin, residente, empadronado, occupante, bewoner, huisbewoner, morador
household: household, haushalt, ménage, foyer, hogar, unidad familiar, famiglia, huishouden, gezin, agregado familiar
floor: floor, storey, level, stockwerk, etage, geschoss, étage, planta, piso, piano, verdieping, andar
apartmentno: apartment no, flat no, unit no, wohnungsnummer, objektnummer, numéro d appartement, puerta, interno, appartementnummer, objectnummer, fração autónoma
rooms: rooms, number of rooms, bedrooms, zimmeranzahl, räume, nombre de pièces, habitaciones, dormitorios, vani, locali, kamers, slaapkamers, quartos, assoalhadas
bathroom: bathrooms, bathroom, bad, bäder, salle de bain, salles de bain, baños, bagni, badkamers, casas de banho
heating: heating, heizung, heizkosten, chauffage, calefacción, riscaldamento, verwarming, aquecimento
boiler: boiler, furnace, kessel, heizkessel, chaudière, caldera, caldaia, ketel, cv ketel, caldeira
servicecharge: service charge, additional costs, nebenkosten, betriebskosten, akonto, charges locatives, provision sur charges, gastos de comunidad, gastos comunes, spese condominiali, oneri accessori, servicekosten, despesas de condomínio, condomínio
management: management company, managing agent, property manager, verwaltung, hausverwaltung, verwalter, syndic, administrador, administrador de fincas, administración, amministratore, beheerder, beheer, administração, administrador do condomínio
community: owners association, condominium, co ownership, eigentümergemeinschaft, copropriété, comunidad de propietarios, comunidad, condominio, vereniging van eigenaars, vme
coowner: co owner, coowner, miteigentümer, copropriétaire, copropietario, comproprietario, mede eigenaar, medeeigenaar, comproprietário
municipality: municipality, council, town hall, county, gemeinde, stadtverwaltung, landkreis, mairie, commune, ayuntamiento, municipio, comune di, gemeente, município, câmara municipal, junta de freguesia
region: region, province, district, bezirk, kreis, kanton, bundesland, région, département région, arrondissement, región, provincia, comarca, regione, distretto, provincie, gewest, distrito, freguesia, província, federal state
neighbourhood: neighbourhood, sector, viertel, quartier, barrio, sección, wijk, buurt, bairro, secção
jurisdiction: jurisdiction, competent court, gerichtsstand, zuständigkeit, juridiction, jurisdicción, giurisdizione, foro, bevoegdheid, jurisdição
lawyer: lawyer, solicitor, attorney, counsel, rechtsanwalt, rechtsanwältin, anwalt, avocat, avocate, abogado, letrado, avvocato, difensore, advocaat, advogado
notary: notary, notar, notaire, notario, notaio, notaris, notário
bailiff: bailiff, gerichtsvollzieher, huissier, agente judicial, ufficiale giudiziario, deurwaarder, agente de execução
courtclerk: registrar, court clerk, justizbeamter, greffier, secretario judicial, letrado de la administración, cancelliere, griffier, escrivão, conservador
claimant: claimant, complainant, anspruchsteller, geschädigter, réclamant, plaignant, lésé, reclamante, denunciante, perjudicado, danneggiato, klager, benadeelde, queixoso, lesado
creditor: creditor, gläubiger, créancier, acreedor, creditore, schuldeiser, credor
debtor: debtor, schuldner, débiteur, deudor, debitore, schuldenaar, devedor
guarantor: guarantor, surety, bürge, garant, avalista, fiador, garante, fideiussore, borgsteller
heir: heir, heirs, erbe, erben, héritier, héritiers, heredero, herederos, erede, eredi, erfgenaam, erfgenamen, herdeiro, herdeiros
deceased: deceased, died, death, verstorben, verstorbener, verstorbene, tod, gestorben, sterbedatum, défunt, décédé, décès, fallecido, fallecimiento, difunto, deceduto, defunto, decesso, overleden, overledene, overlijden, falecido, óbito
burial: burial, funeral, cremation, bestattung, beisetzung, beerdigung, einäscherung, obsèques, inhumation, entierro, inhumación, sepoltura, funerale, begrafenis, uitvaart, crematie, enterro, funeral
marriage: marriage, married, wedding, ehe, heirat, eheschließung, hochzeit, mariage, marié, matrimonio, boda, casado, nozze, huwelijk, gehuwd, trouwdatum, casamento
parent: parent, parents, guardian, legal guardian, eltern, elternteil, erziehungsberechtigte, erziehungsberechtigter, sorgeberechtigte, représentant légal, tuteur, responsable légal, padres, tutor, tutora, representante legal, genitore, genitori, tutore, ouder, ouders, voogd, pais, encarregado de educação
representative: representative, proxy, agent representative, authorised representative, bevollmächtigter, bevollmächtigte, vertretungsberechtigt, mandataire, représentant, procuration, representante, apoderado, poder, rappresentante, delegato, delega, procura, vertegenwoordiger, gemachtigde, volmacht, procurador
president: president, chair, chairman, chairperson, chairwoman, vorsitzender, vorsitzende, präsident, président, présidente, presidente, presidenta, voorzitter
secretary: secretary, schriftführer, protokollführer, protokoll, secrétaire, secretario, secretaria, segretario, segretaria, secretaris, notulist, secretário, secretária
treasurer: treasurer, kassenwart, schatzmeister, trésorier, tesorero, tesoriere, penningmeester, tesoureiro
director: director, managing director, headteacher, head teacher, head of school, direktor, direktorin, geschäftsführer, geschäftsführerin, schulleiter, schulleiterin, rektor, directeur, directrice, gérant, proviseur, directora, gerente, direttore, direttrice, dirigente, dirigente scolastico, schoolhoofd, diretor, diretora
teacher: teacher, class teacher, homeroom teacher, tutor, lehrer, lehrerin, klassenlehrer, klassenlehrerin, klassleiter, enseignant, enseignante, professeur, professeur principal, maître, maîtresse, profesor, profesora, maestro, maestra, insegnante, docente, coordinatore, leraar, lerares, leerkracht, klastitularis, professora, diretor de turma
nurse: nurse, krankenschwester, pfleger, pflegekraft, infirmier, infirmière, enfermero, enfermera, infermiere, infermiera, verpleegkundige, enfermeiro, enfermeira
dentist: dentist, zahnarzt, zahnärztin, dentiste, dentista, odontoiatra, tandarts
pharmacist: pharmacist, pharmacy, chemist, apotheke, apotheker, apothekerin, pharmacie, pharmacien, farmacia, farmacéutico, farmacista, apotheek, farmácia, farmacêutico
vet: vet, veterinarian, veterinary surgeon, tierarzt, tierärztin, vétérinaire, veterinario, veterinaria, dierenarts, veterinário
prescriber: prescriber, prescribed by, prescribing, verordner, verordnet, verschreibender arzt, prescripteur, prescrit, prescriptor, prescrito, prescrittore medico, voorschrijver, prescritor
prescribed: prescribed, prescription, rezept, verordnung, ordonnance, prescription date, receta, prescripción, ricetta, prescrizione, voorschrift, recept, receita médica, prescrição
laboratory: laboratory, lab, labor, laboratoire, laboratorio, laboratorium, laboratório
sampled: sampled, sampling, sample taken, probenahme, probennahme, prélevé le, date de prélèvement, toma de muestra, fecha de toma, data prelievo, data del prelievo, monstername, afnamedatum, data da colheita
validated: validated, validated by, verified by, released by, validiert, validé par, validación, validado por, validato, validato da, gevalideerd, validada por
allergy: allergy, allergies, allergen, allergens, allergie, allergien, unverträglichkeit, allergies connues, allergia, allergeni, alergia, alergias, alérgenos, allergieën, allergenen, alergénios
vaccine: vaccine, vaccination, vaccinated, immunisation, impfung, impfstoff, geimpft, vaccin, vacuna, vacunación, vaccino, vaccinazione, vaccinatie, inenting, vacina, vacinação
bloodgroup: blood group, blood type, blutgruppe, groupe sanguin, grupo sanguíneo, gruppo sanguigno, bloedgroep
bloodpressure: blood pressure, blutdruck, tension artérielle, presión arterial, tensión arterial, pressione arteriosa, bloeddruk, tensão arterial
pulse: pulse, heart rate, puls, herzfrequenz, pouls, fréquence cardiaque, pulso, frecuencia cardiaca, polso, frequenza cardiaca, hartslag, frequência cardíaca
symptom: symptom, symptoms, complaint, complaints, beschwerden, symptome, anamnese, symptômes, plainte, síntomas, motivo de consulta, sintomi, anamnesi, klachten, symptomen, sintomas, queixas
prognosis: prognosis, prognose, pronostic, pronóstico, prognosi, prognóstico
disability: disability, disabled, behinderung, grad der behinderung, incapacité, invalidité, handicap, discapacidad, incapacidad, invalidità, disabilità, inabilità, arbeidsongeschiktheid, invaliditeit, incapacidade
sickleave: sick leave, sickness, sick note, krankheit, arbeitsunfähigkeit, arbeitsunfähig, arrêt de travail, arrêt maladie, baja médica, incapacidad temporal, reposo, malattia, ziekte, ziekteverlof, baixa médica, atestado
admission: admission, admitted, hospitalisation, hospitalised, aufnahme, aufgenommen, aufnahmetag, hospitalisation, ricovero, accettazione, opname, opnamedatum, internamento
discharge: discharge, discharged, entlassung, entlassen, alta médica, alta hospitalaria, dimissione, dimissioni, ontslag, ontslagdatum, alta clínica
triage: triage, triage category, ersteinschätzung, tri, codice colore, codice triage, cor triagem, triagem
surgery: surgery, operation, surgical, intervention, cirugía, intervención, intervento, chirurgia, operatie, ingreep, cirurgia, intervenção
eye: eye, eyes, auge, augen, œil, oeil, ojo, ojos, occhio, occhi, oog, ogen, olho, olhos
right: right, od, rechts, rechtes, droit, droite, derecho, derecha, destro, destra, direito, direita
left: left, og, links, linkes, gauche, izquierdo, izquierda, sinistra, linker, esquerdo, esquerda
sphere: sphere, sph, sphäre, sphère, esfera, sfera, esferico
cylinder: cylinder, cyl, zylinder, cylindre, cilindro
axis: axis, achse, axe, eje, asse, eixo
animal: animal, animals, tier, tiere, animaux, animal de compañía, animali, dier, dieren, animais
pet: pet, pet name, tiername, nom de l animal, mascota, nombre de la mascota, animale domestico, huisdier, animal de estimação
species: species, tierart, espèce, specie, diersoort
breed: breed, rasse, race, raza, razza, ras, raça
microchip: microchip, chip, chip number, transponder, chipnummer, puce, puce électronique, chip número
sterilised: sterilised, sterilized, neutered, spayed, castrated, kastriert, sterilisiert, stérilisé, castré, esterilizado, castrado, sterilizzato, castrato, gesteriliseerd, gecastreerd, esterilizado
herd: herd, flock, livestock, head of cattle, herde, viehbestand, tierzahl, troupeau, cheptel, cabezas, ganado, rebaño, capi, bestiame, allevamento, kudde, veestapel, efetivo
farm: farm, farmer, farming, landwirt, bauernhof, exploitation, agriculteur, ferme, explotación, agricultor, ganadero, azienda agricola, agricoltore, boerderij, landbouwer, exploração agrícola, agricultor
crop: crop, variety, grain, cultivar, sorte, kultur, ernte, récolte, variété, culture, cultivo, variedad, cosecha, varietà, coltura, raccolto, gewas, oogst, cultura, variedade
slaughter: slaughter, schlachtung, abattage, sacrificio, macellazione, slacht, slachting, abate
waste: waste, abfall, entsorgung, déchet, déchets, residuo peligroso, residuos, rifiuto, rifiuti, afval, resíduo, resíduos
wastewater: wastewater, sewage, sewerage, schmutzwasser, abwasser, eaux usées, assainissement, aguas residuales, alcantarillado, saneamiento, acque reflue, fognatura, afvalwater, riolering, águas residuais, saneamento
hazard: hazard, hazardous, danger, dangerous, gefahr, gefahrgut, gefährlich, dangereux, peligro, peligroso, peligrosos, pericolo, pericoloso, gevaar, gevaarlijk, perigo, perigoso
safety: safety, security, sicherheit, sécurité, seguridad, sicurezza, veiligheid, segurança
fire: fire, feuer, brandschutz, incendie, incendio, antincendio, brandveiligheid, incêndio
emission: emission, emissions, exhaust, abgas, abgase, émissions, gaz d échappement, emisiones, emissioni, uitstoot, rookgas, emissões
ship: ship, vessel, boat, schiff, navire, bateau, buque, barco, embarcación, nave, imbarcazione, schip, vaartuig, navio, embarcação
voyage: voyage no, voyage number, reisenummer, numéro de voyage, número de viaje, viaggio n, reisnummer, flight, flight no, flug, flugnummer, vol, vuelo, volo, vlucht, vluchtnummer, voo
port: port, harbour, hafen, puerto, porto, haven
loadingport: port of loading, pol, ladehafen, verladehafen, port de chargement, puerto de carga, puerto de embarque, porto di imbarco, porto di carico, laadhaven, porto de embarque, porto de carga
dischargeport: port of discharge, pod, löschhafen, entladehafen, bestimmungshafen, port de déchargement, puerto de descarga, porto di sbarco, porto di scarico, loshaven, porto de descarga
berth: berth, quay, dock, pier, liegeplatz, kai, quai, poste à quai, muelle, atraque, ormeggio, banchina, ligplaats, kade, cais
draught: draught, draft, tiefgang, tirant d eau, calado, pescaggio, diepgang
tonnage: tonnage, gross tonnage, gt, grt, tonnes, tonne, tons, ton, mt, tonnen, tonelaje, toneladas, stazza, tonnellate, tonellaggio, tonelagem, toneladas brutas
notify: notify party, notify, meldeadresse, partie à notifier, notificar a, notificare a, te verwittigen, notificar
charterer: charterer, charter, charter party, befrachter, affréteur, fletador, noleggiatore, bevrachter, afretador
container: container, container no, behälter, containernummer, conteneur, contenedor, contenitore, container nummer, contentor
seal: seal, plombe, precinto, sigillo, zegel, selo
cargo: cargo, ladung, cargaison, cargamento, lading
airline: airline, fluggesellschaft, compagnie aérienne, aerolínea, compañía aérea, compagnia aerea, luchtvaartmaatschappij, companhia aérea
baggage: baggage, luggage, bags, bag, gepäck, gepäckstücke, bagage, bagages, equipaje, maletas, bagaglio, bagagli, bagagem, malas
ticket: ticket, ticket no, eticket, e ticket, fahrschein, fahrkarte, ticketnummer, billet, billete, biglietto, kaartje, bilhete
platform: platform, track, gate, gleis, bahnsteig, voie, vía, andén, binario, spoor, perron
visit: visit, visited, visita, visite, besuch, bezoek
meeting: meeting, session, assembly, general meeting, sitzung, versammlung, hauptversammlung, réunion, assemblée, assemblée générale, séance, conseil, junta, reunión, asamblea, sesión, riunione, assemblea, seduta, vergadering, reunião, assembleia
vote: vote, votes, voting, election, abstimmung, stimmen, wahl, wähler, scrutin, élection, votación, votos, elección, votazione, voti, elezione, stemming, verkiezing, stemmen, votação, eleição
event: event, exhibition, performance, veranstaltung, ausstellung, événement, manifestation, exposition, spectacle, evento, exposición, espectáculo, manifestazione, mostra, evenement, tentoonstelling, voorstelling, exposição, espetáculo
club: club, association, verein, verband, klub, asociación, associazione, circolo, vereniging, associação, clube
donation: donation, donated, gift, spende, zuwendung, don, donación, donativo, donazione, erogazione liberale, schenking, doação
donor: donor, spender, donateur, donante, donatore, schenker, doador
bid: bid, tender, offer, quote, quotation, angebot, gebot, kostenvoranschlag, offre, devis, oferta, presupuesto, offerta, preventivo, bod, offerte, aanbieding, proposta, orçamento
award: award, awarded, vergabe, attribution, adjudication, adjudicación, aggiudicazione, gunning, adjudicação
auction: auction, hammer price, auktion, versteigerung, hammerpreis, vente aux enchères, adjugé, subasta, remate, asta, veiling, hamerprijs, leilão
valuer: valuer, appraiser, assessor, gutachter, sachverständiger, sachverständige, expert, évaluateur, perito, tasador, taxateur, deskundige, avaliador
valuation: valuation, appraisal, appraised, gutachten, bewertung, schätzung, expertise, estimation, évaluation, tasación, peritaje, valoración, perizia, stima, valutazione, taxatie, avaliação, peritagem
cause: cause, ursache, schadenursache, origine du sinistre, causa, causa del siniestro, oorzaak
circumstances: circumstances, course of events, hergang, unfallhergang, circonstances, circunstancias, circostanze, dinamica, omstandigheden, toedracht, circunstâncias
injury: injury, injuries, injured, verletzung, verletzungen, verletzter, blessure, blessé, lésion, lesión, lesiones, herido, lesione, lesioni, ferito, letsel, gewonde, lesão, ferimento
thirdparty: third party, other party, gegner, unfallgegner, tiers, partie adverse, tercero, contrario, contraria, terzo, controparte, tegenpartij, derde, terceiro
police: police, police force, police report, polizei, polizeidienststelle, gendarmerie, policía, atestado policial, polizia, carabinieri, politie, proces verbaal, polícia, gnr
measure: measure, action, corrective action, maßnahme, maßnahmen, abhilfe, mesure corrective, action corrective, medida correctora, acción, azione correttiva, azione, maatregel, actie, medida corretiva, ação
severity: severity, seriousness, schweregrad, schwere, gravité, gravedad, gravità, ernst, gravidade
risk: risk, risiko, risque, riesgo, rischio, risico, risco
ordered: ordered, quantity ordered, bestellt, bestellmenge, commandé, quantité commandée, pedida, cantidad pedida, ordinato, quantità ordinata, besteld, encomendado
stock: stock, inventory, inventory no, bestand, inventar, inventarnummer, inventaire, existencias, inventario, giacenza, voorraad, inventaris, inventarisnummer, existências, inventário
accepted: accepted, acceptance, taken over, angenommen, annahme, abnahme, accepté, acceptation, réception, aceptado, aceptación, accettato, accettazione, aanvaard, geaccepteerd, aanvaarding, aceite, aceitação
rejected: rejected, refused, denied, refusal, abgelehnt, ablehnung, refusé, refus, rejet, rechazado, denegado, rechazo, respinto, rifiutato, rifiuto, geweigerd, afgewezen, weigering, recusado, rejeitado, indeferido
valid: valid, validity, gültig, gültigkeit, gültigkeitsdauer, valable, validité, válido, vigencia, validez, valido, validità, geldig, geldigheid, geldigheidsduur
required: mandatory, compulsory, necessary, erforderlich, notwendig, nötig, obligatoire, nécessaire, requis, obligatorio, necesario, obbligatorio, necessario, verplicht, nodig, obrigatório, necessário
certificate: certificate, certification, zertifikat, zeugnis, bescheinigung, schein, certificat, attestation, certificado, certificación, certificato, attestato, certificaat, attest, getuigschrift, certidão, certificado de
registry: registry, land registry, commercial register, handelsregister, grundbuch, registre, registre du commerce, rcs, registro, registro mercantil, registro de la propiedad, registro imprese, rea, registro catastale, kamer van koophandel, kvk, rpr, conservatória, registo comercial
folio: folio, volume book, sheet no, tomo, libro, hoja, foglio, blatt, band, liber, feuillet, blad
acquisition: acquisition, acquired, title of acquisition, erwerb, erwerbsgrund, adquisición, título de adquisición, acquisizione, verwerving, aquisição
encumbrance: encumbrance, lien, belastungen, lasten, grundschuld, servitude, hypothèque, cargas, gravamen, gravámenes, ipoteca, oneri, erfdienstbaarheid, hypotheekinschrijving, ónus, encargos
lender: lender, lienholder, mortgagee, kreditgeber, darlehensgeber, prêteur, prestamista, acreedor hipotecario, mutuante, kredietgever, geldgever, hypotheekhouder
education: education, degree, qualification, ausbildung, diplôme, titulación, estudios, titolo di studio, istruzione, opleidingsniveau, diploma, habilitações, grau académico
schoolsubject: subject, school subject, fach, schulfach, matière, discipline, asignatura, materia, disciplina, vak, schoolvak
exam: exam, prüfungstermin, klausur, examen, épreuve, evaluación, esame, prova scritta, toets, tentamen, exame
rank: rank, ranking, class rank, rang, classement, posición, posizione, graduatoria
conduct: conduct, behaviour, behavior, verhalten, betragen, comportement, conducta, comportamiento, condotta, comportamento, gedrag
language: language, sprache, muttersprache, langue, idioma, lengua, lingua, taal, língua
religion: religion, denomination, konfession, religión, religione, godsdienst, religião
age: age, age in years, lebensalter, âge, edad, età, leeftijd, idade
bodyweight: body weight, körpergewicht, poids corporel, peso corporal, peso corporeo, lichaamsgewicht
signingplace: place of signature, ausstellungsort, lieu de signature, fait à, lugar de firma, luogo di firma, opgemaakt te, gedaan te, local de assinatura, feito em
consent: consent, permission, consented, einwilligung, zustimmung, einverständnis, consentement, consentimiento, consenso, toestemming, consentimento
photo: photo, photos, photograph, picture, foto, fotos, photographie, fotografía, fotografia
diet: diet, dietary, dietary requirements, diät, ernährung, kost, régime, régime alimentaire, dieet, regime alimentar
meal: meal, meals, lunch, dinner, menu, mahlzeit, mittagessen, verpflegung, repas, déjeuner, dîner, cantine, comida, almuerzo, comedor, pasto, pasti, pranzo, mensa, maaltijd, refeição, refeições, almoço, alimentação
emergency: emergency, emergency contact, notfall, notdienst, emergencia, emergenza, noodgeval, emergência
website: website, web, url, internet, homepage, site web, sitio web, página web, sito web, sito internet
username: username, user name, login, user, benutzername, benutzer, nutzer, identifiant, utilisateur, usuario, nombre de usuario, nome utente, gebruikersnaam, gebruiker, utilizador
password: password, access code, pin, passwort, kennwort, zugangscode, mot de passe, code d accès, contraseña, clave de acceso, codice di accesso, wachtwoord, toegangscode, palavra passe, senha
verification: verification code, security code, verify, prüfcode, prüfziffer, sicherheitscode, code de vérification, clé de contrôle, código de verificación, csv, código seguro, codice di verifica, codice di controllo, verificatiecode, controlecode, código de verificação, código de controlo
version: version, revision no, fassung, versión, versione, versie, versão
software: software, firmware, logiciel
network: network, netz, netzbetreiber, réseau, gestionnaire de réseau, red, distribuidora red, rete, distributore, netbeheerder, rede
supplypoint: supply point, meter point, metering point, marktlokation, zählpunkt, point de livraison, pdl, prm, cups, punto di prelievo, ean, ean code, leveringspunt, cpe, ponto de entrega
provider: provider, utility, anbieter, versorger, dienstleister, opérateur, prestataire, compañía suministradora, comercializadora, gestore, prestatore, aanbieder, dienstverlener, prestador, comercializador
installer: installer, fitter, installateur, installateurbedrijf, instalador, installatore
site: site, work site, construction site, project site, baustelle, bauvorhaben, einsatzort, chantier, lieu des travaux, lugar de la obra, cantiere, luogo dei lavori, werf, bouwplaats, werkadres, local da obra
task: task, job, work, work done, work carried out, tätigkeiten, arbeiten, durchgeführte arbeiten, travail, travaux effectués, tâche, trabajo, trabajos realizados, lavoro, lavori eseguiti, attività, werk, werkzaamheden, uitgevoerde werken, trabalho, trabalhos efetuados
called: called, call, call date, reported on, anruf, gemeldet, meldung, appel, signalé, llamada, chiamata, segnalazione, oproep, melding, gemeld, chamada, participação
team: team, group, crew, mannschaft, gruppe, équipe, groupe, grupo, squadra, gruppo, ploeg, groep, equipa, equipe
shift: shift, schicht, dienstzeit, turno, ploegendienst
break: break, breaks, pause, pausen, descanso, pausa, pauze, intervalo
parttime: full time, fulltime, part time, vollzeit, teilzeit, beschäftigungsgrad, temps plein, temps partiel, jornada completa, jornada parcial, tempo pieno, tempo parziale, voltijds, deeltijds, deeltijdpercentage, tempo inteiro
seniority: seniority, length of service, dienstalter, betriebszugehörigkeit, ancienneté, anzianità, anciënniteit, antiguidade
collectiveagreement: collective agreement, tarifvertrag, convention collective, convenio colectivo, ccnl, contratto collettivo, cao, paritair comité, contrato coletivo
healthfund: health insurance, krankenversicherung, caisse maladie, caisse, seguro médico, mutua, sistema sanitario, assistenza sanitaria, ziekenfonds, zorgverzekeraar, seguro de saúde
churchtax: church tax, kirchensteuer, impôt cultuel
solidarity: solidarity surcharge, solidaritätszuschlag, soli
mileageallowance: mileage allowance, kilometerpauschale, kilometergeld, indemnité kilométrique, rimborso chilometrico, kilometervergoeding
co2: co2, carbon, carbon dioxide, kohlendioxid, dioxyde de carbone, dióxido de carbono, anidride carbonica
barcode: barcode, gtin, strichcode, code barres, código de barras, codice a barre, streepjescode
dimension: dimensions, measurements, maße, abmessungen, dimensiones, medidas, dimensioni, afmetingen, maten, dimensões
ownedpercent: ownership percentage, beteiligung, prozentanteil, pourcentage de détention, porcentaje de participación, percentuale di possesso, eigendomspercentage
lift: lift, elevator, aufzug, ascenseur, ascensor, ascensore, elevador
door: door, doors, tür, türen, porte, puertas, porta, porte porta, deur, deuren, portas
lighting: lighting, light, licht, beleuchtung, lampe, éclairage, iluminación, alumbrado, illuminazione, verlichting, iluminação
brake: brake, brakes, bremse, bremsen, frein, freins, freno, frenos, freni, rem, remmen, travão, travões
tyre: tyre, tyres, tire, tires, reifen, pneu, pneus, neumático, neumáticos, pneumatico, pneumatici, banden
oil: oil, öl, huile, aceite, olio, olie, óleo
wood: wood, timber, holz, bois, madera, legno, hout, madeira
concrete: concrete, beton, béton, hormigón, calcestruzzo, betão
steel: steel, stahl, acier, acero, acciaio, staal, aço
maintenance: maintenance, servicing, serviced, wartung, instandhaltung, entretien, mantenimiento, manutenzione, onderhoud, manutenção
repair: repair, repairs, repaired, reparatur, instandsetzung, réparation, réparations, reparación, riparazione, herstelling, reparatie, reparação
replacement: replacement, replaced, ersatz, ersetzt, austausch, remplacement, remplacé, sustitución, reemplazo, sostituzione, sostituito, vervanging, vervangen, substituição
damage: damage amount, damages, beschädigung, beschädigt, dommage, dommages, dégât, dégâts, daño, daños, danno, danni, beschadiging, danos, avarias
cleaning: cleaning, reinigung, endreinigung, nettoyage, limpieza, pulizia, schoonmaak, limpeza
parking: parking, car park, parkplatz, stellplatz, parken, stationnement, aparcamiento, parcheggio, posto auto, parkeren, parkeerplaats, estacionamento
garage: garage, workshop, werkstatt, atelier, taller, officina, werkplaats, oficina mecânica
balcony: balcony, terrace, balkon, terrasse, terraza, balcón, terrazza, balcone, terras, varanda
garden: garden, garten, jardin, jardín, giardino, tuin, jardim
land: land area, grundstück, grundstücksfläche, terrain, terreno, superficie del terreno, grond, grondoppervlakte
livingarea: living area, living space, habitable area, wohnraum, surface habitable, superficie útil, superficie abitabile, woonoppervlakte, área útil, square feet, sqft, square footage
energyclass: energy class, energy rating, energieklasse, energieeffizienzklasse, classe énergétique, clase energética, certificación energética, classe energetica, energielabel, classe energética
insulation: insulation, isolation, dämmung, isolierung, aislamiento, isolamento, isolatie
roof: roof, dach, toit, toiture, tejado, cubierta, tetto, dak, telhado
wall: wall, wand, mauer, mur, pared, muro, muur, parede
window: window, windows, fenster, fenêtre, fenêtres, ventana, ventanas, finestra, finestre, raam, ramen, janela, janelas
furniture: furniture, möbel, mobiliar, meubles, mobilier, muebles, mobiliario, mobili, arredo, meubels, inboedel, mobília
inventoryitem: item name, object, gegenstand, bezeichnung des gegenstands, bien, objeto, bem, oggetto, bene, voorwerp
condition: condition, conditions, bedingung, bedingungen, beschaffenheit, condición, condiciones, condizione, condizioni, voorwaarde, voorwaarden, staat van, condição, condições
clause: clause, klausel, clausule, cláusula, clausola
annex: annex, appendix, attachment, attachments, enclosure, enclosures, anhang, anlagen, annexe, annexes, pièce jointe, anexo, anexos, adjunto, allegato, allegati, bijlage, bijlagen
copy: copy, copies, kopie, ausfertigung, copie, exemplaire, exemplaires, copia, ejemplar, esemplare, afschrift, cópia, exemplar
document: document, document number, dokument, beleg, belegnummer, pièce, document type, documento, stuk
letter: letter, brief, schreiben, courrier, lettre, carta, lettera, brieven
form: form, formular, vordruck, formulaire, formulario, modulo, modello, formulier, formulário
record: record, record no, entry no, datensatz, enregistrement, acte, acta, asiento, verbale, atto, ata, assento, registo n
protocol: protocol, protocol no, protokollnummer, prot, protocollo, protocole, n de protocolo, protocolo, registro de entrada, numero di protocollo
published: published, publication, veröffentlicht, veröffentlichung, publié, parution, publicado, publicación, pubblicato, pubblicazione, gepubliceerd, publicatie, publicação
printed: printed, print date, gedruckt, druckdatum, imprimé, édité, édité le, impreso, stampato, afgedrukt, impresso
notified: notified, served, service date, zugestellt, zustellungsdatum, notifié, signifié, notificado, notificación, notificato, notifica, betekend, kennisgeving, notificação
confirmed: confirmed, confirmation, bestätigt, bestätigung, confirmé, confirmation de, confirmado, confirmación, confermato, conferma, bevestigd, bevestiging, confirmado em, confirmação
checked: checked, checked by, reviewed, reviewed by, controlled, geprüft von, kontrolliert, vérifié, vérification, contrôlé par, comprobado, revisado, verificado, verificato, controllato, nagezien, gecontroleerd, verificado por, conferido
authorised: authorised by, authorized by, bewilligt, bewilligung, autorisé, autorisé par, autorizado por, autorizzato da, gemachtigd door
appeal: appeal, objection, appeal deadline, einspruch, widerspruch, rechtsmittel, recours, réclamation, recurso, reclamación, alegaciones, ricorso, opposizione, reclamo, bezwaar, beroep, bezwaarschrift, impugnação, reclamação
complaint: complaint no, beschwerde, reklamation, plainte, queja, lamentela, klacht, queixa
breach: breach, breach date, vertragsverletzung, manquement, incumplimiento, inadempimento, incumprimento
evidence: evidence, proof, nachweis, beweis, preuve, justificatif, prueba, prova documentale, bewijs, bewijsstuk, comprovativo de
identitydoc: document of identity, type of id, ausweisdokument, ausweisart, ausweisnummer, type de pièce, tipo de documento, tipo documento, estremi documento, tipo di documento, soort document, tipo de documento de identificação
residencepermit: residence permit, aufenthaltstitel, aufenthaltserlaubnis, titre de séjour, permiso de residencia, nie, permesso di soggiorno, verblijfsvergunning, verblijfstitel, título de residência, autorização de residência
drivinglicence: driving licence, driver s license, driver license, führerschein, führerscheinnummer, permis de conduire, permiso de conducir, carnet de conducir, patente, patente di guida, rijbewijs, carta de condução, habilitação
initials: initials, kürzel, initialen, initiales, iniciales, iniziali, voorletters, iniciais
maidenname: maiden name, birth name, geburtsname, nom de naissance, nom de jeune fille, apellido de soltera, cognome da nubile, meisjesnaam, geboortenaam, nome de solteira
middlename: middle name, second name, zweiter vorname, deuxième prénom, segundo nombre, secondo nome, tweede voornaam, nome do meio
salutation: salutation, form of address, anrede, civilité, tratamiento, titolo di cortesia, aanhef, aanspreking, tratamento de cortesia
alias: nickname, alias, also known as, trade name, trading name, trading as, doing business as, dba, nom commercial, enseigne, nombre comercial, denominación comercial, insegna, nome commerciale, handelsnaam, nome comercial, künstlername
legalform: legal form, rechtsform, forme juridique, forma jurídica, forma giuridica, rechtsvorm
headquarters: headquarters, head office, registered office, registered address, hauptsitz, firmensitz, sitz der gesellschaft, siège social, domicilio social, sede social, sede legale, maatschappelijke zetel, statutaire zetel, hoofdkantoor, sede da empresa
registrationno: company number, company registration, commercial register no, handelsregisternummer, hrb, siren, siret, cif, codice rea, numero rea, ondernemingsnummer, kvk nummer, nipc, número de matrícula, uid, firmenbuchnummer
businesssector: sector, industry, business activity, branche, gewerbe, wirtschaftszweig, secteur, secteur d activité, code ape, naf, actividad económica, sector de actividad, settore, codice ateco, attività economica, bedrijfstak, cae, atividade económica
population: population, inhabitants, einwohner, einwohnerzahl, habitants, habitantes, abitanti, inwoners
weather: weather, wetter, witterung, météo, meteo, condizioni meteo, weer, condições meteorológicas
wind: wind, windgeschwindigkeit, vent, viento, vento
noise: noise, sound level, lärm, geräusch, schallpegel, bruit, niveau sonore, ruido, rumore, geluid, geluidsniveau, ruído
concentration: concentration, konzentration, gehalt, teneur, concentración, concentrazione, tenore, concentratie, gehalte, concentração, teor
fat: fat, butterfat, fett, fettgehalt, matière grasse, matières grasses, graisse, grasa, grassi, materia grassa, vet, vetgehalte, gordura, lípidos
protein: protein, proteins, eiweiß, eiweiss, protéine, protéines, proteína, proteínas, proteine, eiwit, proteínas totais
sugar: sugar, sugars, zucker, sucre, sucres, azúcar, azúcares, zucchero, zuccheri, suiker, suikers, açúcar, açúcares
salt: salt, sodium, salz, natrium, sel, sal, zout, sodio, sódio
calories: calories, kcal, kilojoule, brennwert, valeur énergétique, calorías, valor energético, calorie, valore energetico, calorieën, energiewaarde, calorias
ingredient: ingredient, ingredients, zutat, zutaten, ingrédient, ingrédients, composition, ingrediente, ingredientes, ingredienti, ingrediënten
portion: portion, portions, servings, serves, portionen, raciones, porciones, porzioni, porties, porções
bestbefore: best before, use by, use before, mindesthaltbarkeit, mindestens haltbar bis, haltbar bis, à consommer avant, consumir antes de, consumo preferente, da consumarsi entro, ten minste houdbaar tot, houdbaar tot, consumir de preferência antes de
harvest: harvest, vintage, millésime, añada, annata, oogstjaar, safra
temperaturemax: maximum temperature, höchsttemperatur, température maximale, temperatura máxima, temperatura massima, maximumtemperatuur
storage: storage, storage charge, stored, lagerung, aufbewahrung, lagergeld, stockage, gardiennage, almacenamiento, conservación, stoccaggio, deposito, conservazione, opslag, bewaring, bewaren, armazenamento, armazenagem
towing: towing, towed, tow, abgeschleppt, abschleppen, abschleppkosten, remorquage, fourrière, grúa, rimozione, traino, takelen, wegslepen
cleared: clearance, cleared, released, release, freigegeben am, dédouanement, mainlevée, despacho, levante, sdoganamento, svincolo, vrijgave, inklaring, desalfandegamento, libertação
mode: mode, mode of transport, verkehrsträger, beförderungsart, mode de transport, modo de transporte, modalità di trasporto, vervoerswijze
route: route, itinerary, stops, linie, trajet, itinéraire, ruta, itinerario, trayecto, percorso, tratta, traject, percurso, itinerário
stop: stop, station name, haltestelle, bahnhof, arrêt, gare, parada, estación, fermata, stazione, halte, paragem, estação
boarding: boarding, boarded, boarding time, einstieg, einstiegszeit, embarquement, embarco, imbarco, instappen, embarque de passageiros
cabin: cabin, class of travel, travel class, kabine, wagenklasse, reiseklasse, classe de voyage, clase
wagon: coach no, carriage, wagon, wagen nr, vagón, vagone, rijtuig, carruagem, carrozza
crew: crew members, besatzung, équipage, tripulación, equipaggio, bemanning, tripulação
captain: captain, master, skipper, kapitän, capitaine, capitán, comandante, kapitein, capitão
pilot: pilot, lotse, pilote, piloto, práctico, pilota, loods
tug: tug, tugs, schlepper, remorqueur, remolcador, rimorchiatore, sleepboot, rebocador
flagstate: flag, flag state, flagge, pavillon, bandera, pabellón, bandiera, vlag, bandeira
imono: imo, imo number, imo nummer, imo no, numéro imo, número imo, numero imo
shipagent: ship s agent, ship agent, port agent, schiffsagent, consignataire, agent maritime, consignatario de buques, agente marittimo, raccomandatario, scheepsagent, agente de navegação
laytime: laytime, demurrage, liegezeit, überliegegeld, surestaries, estadías, demoras, controstallie, overliggeld, sobreestadias
useraccount: user id, member id, benutzerkonto, compte utilisateur, cuenta de usuario, account utente, gebruikersaccount, conta de utilizador
customerno: customer number, customer no, client number, client no, kundennummer, numéro client, numéro de client, nº cliente, número de cliente, codice cliente, numero cliente, klantnummer, número do cliente
orderno: order number, order no, po number, po no, po, bestellnummer, auftragsnummer, numéro de commande, bon de commande, número de pedido, numero ordine, ordernummer, bestelnummer, bestelbon, número de encomenda, nota de encomenda
jobno: job no, job number, job sheet, work order, arbeitsauftrag, ordre de travail, bon de travail, orden de trabajo, parte de trabajo, ordine di lavoro, werkbon, werkorder, ordem de trabalho, folha de obra
certificateno: certificate number, certificate no, bescheinigungsnummer, zertifikatsnummer, numéro de certificat, número de certificado, numero certificato, numero di certificato, certificaatnummer, attestnummer, número do certificado
licenceno: licence number, license number, lizenznummer, zulassungsnummer, numéro de licence, numéro d agrément, agrément, número de licencia, número de colegiado, colegiado, numero licenza, numero di iscrizione, albo, vergunningsnummer, erkenningsnummer, erkenning, número de licença, cédula profissional
first: first, initial, 1st, erste, erster, erstes, premier, première, primero, primera, primer, primo, prima, eerste, primeiro, primeira
second: second, 2nd, zweite, zweiter, deuxième, segundo, segunda, secondo, seconda, tweede
third: third, 3rd, dritte, dritter, troisième, tercero, tercera, terzo, terza, derde, terceiro, terceira
final: final, definitive, endgültig, schluss, définitif, finale, définitive, definitivo, definitiva, definitief, definitieve
main: main, primary, principal, haupt, principale, hoofd, primario, primaria
other: other, others, various, miscellaneous, sonstige, sonstiges, andere, anderer, autre, autres, divers, otro, otros, otras, varios, altro, altri, altre, varie, overige, outro, outros, outras, diversos
maximum: maximum, max, maximal, höchst, maximale, maximum autorisé, máximo, máxima, massimo, massima, maximaal, maximale waarde
optional: optional, wahlweise, facultatif, option, opcional, facoltativo, opzionale, optioneel
early: early, in advance, früh, vorzeitig, anticipé, anticipée, anticipado, anticipada, antecipado, anticipato, vroeg, vervroegd
before: before, prior to, vor, avant, antes, prima di, voor het, antes de
after: after, nach, après, después, tras, dopo, na, após, depois
general: general, general purpose, allgemein, général, générale, generale, algemeen, geral, gerais
special: special, specific, besonders, besondere, spécial, particulier, especial, speciale, particolare, bijzonder, speciaal, extraordinary, außerordentlich, extraordinaire, extraordinario, straordinaria, buitengewoon, extraordinária
national: national, nationwide, nationale, nacional, nazionale, nationaal
foreign: foreign, abroad, ausland, ausländisch, étranger, étrangère, extranjero, extranjera, estero, estera, buitenland, buitenlands, estrangeiro, estrangeira
high: high, upper, peak, hoch, oberer, obere, höchster, haut, haute, alto, punta, hoog, piek, pico, ponta
low: low, lower, off peak, niedrig, untere, unterer, bas, basse, creuses, bajo, valle, basso, bassa, laag, baixo, baixa, vazio
fixed: fixed, flat, standing charge, fest, fix, grundpreis, grundgebühr, fixe, fijo, fija, término fijo, fisso, fissa, quota fissa, vast, vaste, vastrecht, fixo, fixa
variable: variable, arbeitspreis, variabel, término variable, variabile, quota variabile, variabele, variável
actual: actual, real, effectively, tatsächlich, ist, réel, réelle, reale, effettivo, effettiva, werkelijk, werkelijke, efetivo
partial: partial, teil, teilweise, partiel, partielle, parziale, gedeeltelijk, deel
half: half, halb, hälfte, moitié, demi, demie, medio, mitad, metà, mezzo, helft, metade, meio
double: double, doppelt, doppelzimmer, doble, doppio, doppia, dubbel, duplo, dupla
single: single, einzel, einzelzimmer, simple, individual, singolo, singola, enkel
each: each, per unit, unit price, einzelpreis, stückpreis, prix unitaire, p u, precio unitario, precio unidad, prezzo unitario, eenheidsprijs, stuksprijs, preço unitário
extra: extra, additional, zusätzlich, zusatz, supplémentaire, adicional, aggiuntivo, supplementare, bijkomend, bijkomende, adicionais, added
excluding: excluding, excl, excluding tax, ex vat, ohne, zzgl, hors taxe, hors taxes, ht, htva, sin iva, senza iva, iva esclusa, netto iva, exclusief, excl btw, sem iva
including: including, incl, including tax, inc vat, inkl, einschließlich, ttc, tvac, toutes taxes comprises, con iva, iva incluido, iva compresa, ivato, inclusief, incl btw, com iva
shared: shared, joint, jointly, gemeinsam, commun, commune à, en commun, común, común a, compartido, in comune, condiviso, gezamenlijk, gedeeld, conjunto, partilhado
full: full, complete, full payment, voll, vollständig, complet, complète, entier, completo, completa, lleno, pieno, intero, volledig, vol, compleet, inteiro
correct: correct, ok, in order, compliant, conform, conforming, in ordnung, bestanden, conforme, correcto, apto, favorable, conforme alla norma, regolare, in orde
failed: failed, unsuccessful, not passed, fail, nicht bestanden, fehlgeschlagen, échoué, défavorable, no apto, desfavorable, fallido, non superato, fallito, niet geslaagd, afgekeurd, mislukt, reprovado, falhado
warning: warning, alert, warnung, verwarnung, avertissement, alerte, advertencia, avvertimento, diffida, avviso di, waarschuwing, advertência
error: error, error rate, fehler, fehlerquote, erreur, taux d erreur, tasa de error, errore, fout, foutmarge, erro
impact: impact, effect, auswirkung, auswirkungen, impacto, impatto, gevolg, gevolgen, consecuencia, conséquence, conseguenza, consequência
rootcause: root cause, grundursache, hauptursache, cause racine, causa raíz, causa principale, grondoorzaak, causa raiz
detected: detected, discovered, found, noticed, festgestellt, entdeckt, constaté, détecté, découvert, detectado, descubierto, hallado, rilevato, accertato, scoperto, vastgesteld, ontdekt, detetado, verificada
occurred: occurred, happened, took place, date of event, ereignet, ereignis, vorfall, survenu, survenu le, ocurrido, sucedido, hecho, avvenuto, accaduto, plaatsgevonden, voorval, gebeurtenis, ocorrido, ocorrência
affected: affected, customers affected, betroffen, betroffene, touché, concerné, concernés, afectado, afectados, interessato, coinvolto, getroffen, betrokken, afetado, abrangido
commander: commander, incident commander, in charge, einsatzleiter, einsatzleitung, commandant, mando, bevelvoerder, comandante da operação
organiser: organiser, organizer, veranstalter, organisateur de, organizador, organizzatore, organisator
sponsor: sponsor, sponsor name, förderer, parrain, patrocinador, sponsor evento
artist: artist, author, künstler, künstlerin, autor, autorin, artiste, auteur, artista, autore, kunstenaar, autora
artwork: artwork, title of work, kunstwerk, œuvre, obra de arte, opera, kunstwerk titel, obra artística
music: music, composer, musik, komponist, musique, compositeur, música, compositor, musica, compositore, muziek, componist
book: book, isbn, buch, livre, libro, boek, livro
publisher: publisher, verlag, éditeur, editorial, editore, uitgever, editora
competition: competition, match, game, wettkampf, wettbewerb, spiel, compétition, competición, partido, gara, partita, wedstrijd, competição, jogo
score: score, points scored, punktzahl, punkte, punktestand, puntuación, puntos, punteggio, punti, punten, pontuação, pontos
winner: winner, sieger, gewinner, vainqueur, gagnant, ganador, vincitore, winnaar, vencedor
referee: referee, schiedsrichter, arbitre, árbitro, arbitro, scheidsrechter
coach: coach, trainer, trainerin, entraîneur, entrenador, allenatore, treinador
league: league, liga, ligue, lega, competitie
season: season, saison, temporada, stagione, seizoen, época
voter: voter, voters, eligible voters, wahlberechtigte, wähler, wählerin, électeur, électeurs, inscrits, elector, electores, votante, elettore, elettori, kiezer, kiezers, eleitor, eleitores
constituency: constituency, electoral district, wahlkreis, wahlbezirk, circonscription, bureau de vote, distrito electoral, mesa electoral, collegio elettorale, sezione elettorale, kieskring, stembureau, círculo eleitoral, mesa de voto
candidate: candidate, nominee, kandidat, kandidatin, candidat, candidato, candidata, kandidaat
quorum: quorum, present, attendees, attendance, anwesend, anwesende, teilnehmer, présents, présent, asistentes, presentes, presenti, partecipanti, aanwezig, aanwezigen, deelnemers, participantes
participant: participant, attendee, teilnehmerin, stagiaire, participante, asistente, partecipante, corsista, deelnemer, cursist, formando
trainingprovider: training provider, training centre, bildungsträger, organisme de formation, centro de formación, ente di formazione, opleidingsinstelling, entidade formadora
workload: workload, ects, credit points, lehrveranstaltungsstunden, volume horaire, horas lectivas, crediti formativi, cfu, studiepunten, carga horária
exemptreason: reason for exemption, befreiungsgrund, motif d exonération, motivo de exención, motivo di esenzione, reden van vrijstelling, motivo de isenção
dependant: dependant, dependent, dependants, unterhaltsberechtigt, angehöriger, angehörige, personne à charge, personas a cargo, familiar a cargo, a carico, persona a carico, ten laste, personen ten laste, dependente, a cargo
relationship: relationship, kinship, verwandtschaft, verwandtschaftsverhältnis, verhältnis, lien de parenté, parenté, parentesco, rapporto di parentela, grado di parentela, verwantschap, relatie, relação
nextofkin: next of kin, personne à prévenir, persona de contacto familiar, persona da avvisare, contactpersoon noodgeval, pessoa a contactar
medicalhistory: medical history, vorerkrankungen, vorgeschichte, antécédents, antecedentes, anamnesi remota, precedenti, medische voorgeschiedenis, antecedentes pessoais
currentmedication: current medication, dauermedikation, traitement en cours, medicación habitual, terapia in corso, terapia domiciliare, huidige medicatie, medicação habitual
examination: examination, exam type, examined, type of examination, untersuchungsart, examen réalisé, exploración, prueba realizada, esame eseguito, prestazione, onderzoek, exame realizado
contrast: contrast, contrast medium, kontrastmittel, produit de contraste, contraste, mezzo di contrasto, contrastmiddel
radiology: radiology, imaging, scan, x ray, mri, ct, röntgen, mrt, radiologie, imagerie, irm, scanner, radiología, resonancia, radiologia, risonanza, ressonância
bodypart: body part, body region, körperregion, körperteil, partie du corps, région anatomique, región anatómica, parte del cuerpo, distretto corporeo, parte del corpo, lichaamsdeel, região anatómica
glucose: glucose, blood glucose, blutzucker, glukose, glycémie, glucosa, glucemia, glicemia, glucosio, bloedsuiker, glicose
cholesterol: cholesterol, ldl, hdl, cholestérol, colesterol, colesterolo, triglycerides, triglyzeride, triglycérides, triglicéridos, trigliceridi, triglyceriden, triglicerídeos
haemoglobin: haemoglobin, hemoglobin, hb, hämoglobin, hémoglobine, hemoglobina, emoglobina, hemoglobine
leukocytes: leukocytes, leucocytes, white blood cells, wbc, leukozyten, globules blancs, leucocitos, leucociti, leukocyten, witte bloedcellen, leucócitos
creatinine: creatinine, kreatinin, créatinine, creatinina
fasting: fasting, nüchtern, à jeun, en ayunas, ayuno, digiuno, a digiuno, nuchter, em jejum, jejum
normalfinding: no abnormality, unauffällig, ohne befund, sans particularité, sin hallazgos, nella norma, geen afwijkingen, sem alterações
advice: advice, recommendation, recommendations, empfehlung, empfehlungen, conseil, recommandation, recommandations, recomendación, recomendaciones, raccomandazione, consigli, indicazioni, advies, aanbeveling, recomendação
followup: follow up, followup, control visit, nachkontrolle, nachsorge, wiedervorlage, suivi médical, contrôle ultérieur, seguimiento médico, control, revisión médica, controllo, visita di controllo, nacontrole, opvolging, vervolgafspraak, seguimento
waiting: waiting time, wait, wartezeit, attente, temps d attente, tiempo de espera, attesa, tempo di attesa, wachttijd, espera, tempo de espera
arrivaltime: arrival time, ankunftszeit, heure d arrivée, hora de llegada, ora di arrivo, aankomsttijd, hora de chegada
departuretime: departure time, abfahrtszeit, abflugzeit, heure de départ, hora de salida, ora di partenza, vertrektijd, hora de partida
starttime: start time, starting time, startzeit, heure de début, hora de inicio, ora di inizio, ora inizio, starttijd, begintijd, hora de início
endtime: end time, finish time, endzeit, heure de fin, hora de fin, hora fin, ora di fine, ora fine, eindtijd, hora de fim
schedule: schedule, timetable, stundenplan, fahrplan, zeitplan, horaires, emploi du temps, calendrier, horario, calendario, orario, rooster, dienstregeling, horário
`
