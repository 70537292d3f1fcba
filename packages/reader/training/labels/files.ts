/** The files of labels, without `.txt`. In this order: another one gives other vectors. */
export const labelFiles = 'parties dates-and-numbers bills measures sectors wordings places amounts'.split(' ')
