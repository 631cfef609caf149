"""Street words: the patterns that addresses in Latin and Greek letters are put together from."""

from __future__ import annotations

EDGE, END = r"(?<![^\W\u3040-\u9fff])", r"(?![^\W\u3040-\u9fff])"
LETTER = r"[^\W\d_\u3040-\u9fff]"
TAIL_OF_WORD = r"(?:[^\W_\u3040-\u9fff]|['’.-](?=[^\W_]))*\.?"
CAPITAL = rf"(?![a-zß-öø-ÿα-ω]){LETTER}"
PARTICLE = (
    r"(?:de|del|della|dei|do|da|dos|das|des|du|den|der|la|le|las|los|les|el|van|von|zu|am|im|an der|e|y|of|the|st)"
)
NOT_A_NAME = r"(?!(?i:and|or|is|was|but|we|you|he|she|it|they|please|apt|apartment|suite|unit)(?!\w))"

WORD = rf"{NOT_A_NAME}{CAPITAL}{TAIL_OF_WORD}"
ORDINAL = r"[0-9]{1,3}(?:st|nd|rd|th)"
NUMBER = r"(?<![0-9A-Za-z.,$€£¥#:/-])[0-9]{1,6}[A-Za-z]?(?![0-9A-Za-z])"
HOUSE = r"[0-9]{1,5}[A-Za-z]?(?![0-9A-Za-z:%])\.?"
NAMES = rf"{WORD}(?: (?:{PARTICLE} )?{WORD}){{0,4}}"

STREET = (
    r"(?:Street|Str|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Way|Terrace|Square|Sq|Parkway|Pkwy|"
    r"Highway|Hwy|Circle|Cir|Trail|Crescent|Close|Mews|Alley|Freeway|Turnpike|Expressway|Broadway|Esplanade)"
)
# The suffixes of the US postal service that are also common nouns: the number must be longer.
SUFFIX = (
    r"(?:Arcade|Bayou|Beach|Bend|Bluff|Bottom|Branch|Bridge|Brook|Burg|Bypass|Camp|Canyon|Cape|Causeway|Center|Centre|Cliff|Club|"
    r"Common|Corner|Course|Cove|Creek|Crest|Crossing|Crossroad|Curve|Dale|Dam|Divide|Estate|Extension|Fall|Ferry|Field|Flat|Ford|"
    r"Forest|Forge|Fork|Fort|Garden|Gateway|Glen|Green|Grove|Harbor|Haven|Height|Hill|Hollow|Inlet|Island|Isle|Junction|Key|Knoll|"
    r"Lake|Land|Landing|Light|Loaf|Lock|Lodge|Loop|Mall|Manor|Meadow|Mill|Mission|Motorway|Mount|Mountain|Neck|Orchard|Oval|"
    r"Overpass|Park|Pass|Passage|Path|Pike|Pine|Plain|Plaza|Point|Port|Prairie|Radial|Ramp|Ranch|Rapid|Rest|Ridge|River|Route|Row|"
    r"Rue|Run|Shoal|Shore|Skyway|Spring|Spur|Station|Stravenue|Stream|Summit|Throughway|Trace|Track|Trafficway|Trailer|Tunnel|"
    r"Underpass|Union|Valley|Viaduct|View|Village|Ville|Vista|Walk|Wall|Well|Court|Drive|Circle|Square|Lane|Road|Way)(?:e?s)?"
)
DIRECTION = rf"(?: (?:North|South|East|West|Northeast|Northwest|Southeast|Southwest|NE|NW|SE|SW|N|S|E|W){END})?"
KIND_FIRST = (
    r"(?:Via|Viale|Rua|Rue|Calle|C/|Avenida|Avenue|Av|Avda|Camino|Paseo|Piazza|Plaza|Plaça|Corso|Chemin|Boulevard|"  # codespell:ignore calle
    r"Strada|Travessa|Carrer|Carrera|Ruta|Impasse|Quai|ul|Ulica|al|Aleja|Praça|Largo|Vicolo|Estrada|Rodovia|Λεωφόρος|Οδός)"  # codespell:ignore carrer
)
# Names of streets that end in what a street is called in German, Dutch, the Nordic languages, Finnish, Hungarian.
COMPOUND = (
    rf"{CAPITAL}[^\W\d_]{{2,24}}(?:strasse|straße|stra(?:ss|ß)e|gasse|platz|allee|damm|ufer|weg|straat|laan|gracht|plein|kade|dreef|"
    r"singel|vej|gade|gata|gaten|gatan|vägen|väg|veien|vegen|stien|gränd|torg|tie|katu|kuja|polku|tanhua|stræti|straeti|braut|vegur|"  # codespell:ignore singel
    r"götu|utca|körút)"
)
SEPARATED = (
    rf"{WORD}(?: {WORD}){{0,3}}(?: [a-zß-öø-ÿ]{{3,14}})? "
    r"(?:u\.|út|útja|utca|utcája|tér|tere|krt\.|rkp\.|köz|sor|ulica|cesta|trg|náměstí|náves|třída|terrasse|"
    r"alle|vei|vej|väg|tee|mnt|tn)"  # codespell:ignore alle
)
UNIT = r"(?i:apt|apartment|suite|ste|unit|room|flat|floor|fl|bldg|building)\.?,? ?#?[0-9A-Z]{1,5}(?![0-9A-Za-z])"
GAP = r"[\s,>?]{1,8}"
NEAR = r"(?:,? ?\n ?,? ?|,? )"
TOWN_WORD = rf"(?:{WORD}|\(?{WORD}\)|{PARTICLE}|(?i:nad|bei|nan|upon|sur))"
CODE = (
    r"(?:(?!(?:19|20)[0-9]{2}(?![0-9]))[0-9]{4,6}(?![0-9A-Za-z:,.%-]*[0-9])|[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}(?![A-Za-z0-9])|"
    r"[A-Z][0-9][A-Z] [0-9][A-Z][0-9](?![A-Za-z0-9])|[1-9][0-9]{3} [A-Z]{2}(?![A-Za-z0-9]))"
)
# Where the lines stand apart (quoted, with blank lines) town and country stay, as they do elsewhere; only the code goes.
TOWN = rf"(?:{NEAR}{TOWN_WORD}){{1,6}}?(?:{NEAR}[0-9]{{2}}(?=\s))?{NEAR}{CODE}"
CODE_FIRST = rf"(?:, ?|,? ?\n ?)(?!(?:19|20)[0-9]{{2}} )[0-9]{{4,6}} {WORD}(?: {TOWN_WORD}){{0,2}}{END}"
COUNTRY = rf"(?:, ?{WORD}(?: {TOWN_WORD}){{0,3}}){{2}}{END}"
AFTER_UNIT = rf"(?:{NEAR}{TOWN_WORD}(?!:){END}){{1,5}}+(?! ?[0-9])(?!\n\n)"
REST = rf"(?:(?:{GAP}{UNIT}){{1,2}}(?:{TOWN}|{AFTER_UNIT})?|{TOWN}|{CODE_FIRST}|{COUNTRY})?"
