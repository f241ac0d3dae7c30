/** Kinds of everyday things and of things at work, each with what notes call them instead. */
export const KINDS: string = `
pet dog cat puppy kitten hamster rabbit parrot goldfish tortoise canary ferret vet leash litter
animal dog cat bird horse cow pig sheep goat chicken fish rabbit bear wolf fox lion tiger elephant monkey snake deer duck
animal mouse turtle; dog puppy poodle labrador terrier beagle retriever dachshund leash kennel hound
cat kitten kitty siamese litter; bird parrot canary sparrow owl eagle duck pigeon robin
fish salmon tuna cod trout goldfish aquarium; insect bee ant mosquito spider wasp fly beetle butterfly
family mother father mom dad parent brother sister son daughter wife husband child kid aunt uncle cousin grandmother
family grandfather niece nephew sibling relative
relative aunt uncle cousin niece nephew grandmother grandfather grandma grandpa sibling family
parent mother father mom dad mum mama papa; sibling brother sister twin; child son daughter kid baby toddler boy girl teenager
grandparent grandmother grandfather grandma grandpa granny nana; partner wife husband girlfriend boyfriend spouse fiance fiancee
spouse wife husband married; relationship married single divorced dating engaged girlfriend boyfriend partner wife husband
celebration birthday wedding anniversary party christmas graduation
holiday christmas easter thanksgiving hanukkah ramadan diwali vacation halloween
ceremony wedding funeral graduation baptism standup retro planning sprint
profession teacher nurse doctor engineer lawyer accountant designer plumber electrician chef baker carpenter journalist pilot
profession dentist pharmacist architect programmer developer musician artist writer photographer manager scientist
occupation teacher nurse doctor engineer lawyer accountant designer plumber electrician chef carpenter journalist pilot
occupation dentist architect programmer developer artist writer
job work career position employer profession role occupation salary; workplace office company employer desk remote
education school university college degree bachelor master phd diploma course graduated studied
degree bachelor master phd doctorate diploma; school class teacher student pupil grade kindergarten classroom homework
subject math mathematics history biology physics chemistry geography english; exam test quiz midterm final
language english german french spanish italian portuguese dutch polish russian chinese japanese korean arabic hindi turkish
language swedish python java javascript typescript rust go kotlin swift ruby php
nationality german french spanish italian american british polish dutch canadian indian chinese japanese mexican brazilian
country germany france spain italy portugal netherlands poland england britain usa america canada mexico brazil india china
country japan korea australia austria switzerland sweden norway denmark finland ireland greece turkey
city berlin paris london madrid rome lisbon amsterdam vienna munich hamburg york boston chicago seattle tokyo toronto
city barcelona milan prague dublin zurich; continent europe asia africa america australia
home house apartment flat address live residence condo; housing house apartment flat rent mortgage landlord lease tenant
residence house apartment flat address lives live; room kitchen bedroom bathroom office basement attic garage hallway
furniture table chair sofa couch bed desk shelf wardrobe cabinet drawer dresser bookcase stool bench
appliance fridge refrigerator oven stove dishwasher washer dryer microwave toaster kettle vacuum freezer blender
kitchenware pan pot knife fork spoon plate bowl cup mug glass spatula; cutlery knife fork spoon
tool hammer screwdriver drill saw wrench pliers; bedding pillow blanket sheet mattress duvet quilt
utility electricity water gas internet heating power; chore cleaning laundry dishes vacuum trash garbage mowing ironing dusting
food meal dish bread rice pasta meat cheese vegetable fruit soup salad pizza sandwich snack dinner lunch breakfast eat cook
food restaurant allergic vegetarian vegan; meal breakfast lunch dinner supper brunch
diet vegetarian vegan gluten keto allergic allergy lactose calorie halal kosher pescatarian meat dairy sugar carb
dietary vegetarian vegan gluten allergic allergy lactose halal kosher pescatarian dairy
allergy peanut nut pollen shellfish gluten lactose penicillin allergic dust hives
allergen peanut nut shellfish gluten lactose dairy egg soy; nut peanut almond walnut cashew hazelnut pistachio pecan
meat beef pork chicken lamb turkey ham bacon sausage steak; seafood fish shrimp crab lobster salmon tuna shellfish oyster prawn
fruit apple banana orange lemon strawberry grape pear peach cherry mango pineapple berry blueberry melon kiwi plum
vegetable potato tomato carrot onion garlic pepper cucumber lettuce spinach broccoli cabbage pea bean mushroom zucchini
dairy milk cheese yogurt butter cream lactose; dessert cake pie cookie chocolate pudding brownie tart sweet
spice pepper salt cinnamon paprika cumin curry ginger turmeric chili
drink coffee tea water juice beer wine milk soda lemonade espresso cocktail
beverage coffee tea water juice beer wine soda lemonade espresso latte; coffee espresso latte cappuccino decaf caffeine barista
caffeine coffee tea espresso; alcohol beer wine whiskey vodka gin cocktail rum sober
cuisine italian mexican chinese japanese indian thai french greek sushi pizza taco curry
restaurant cafe diner bistro pizzeria sushi reservation; recipe ingredient cook bake dish flour oven
clothing shirt pants trousers jacket coat dress skirt sweater shoe sock hat glove scarf suit jeans wear size
clothes shirt pants trousers jacket coat dress skirt sweater shoe sock hat jeans wear laundry size
footwear shoe boot sneaker sandal slipper; jewelry ring necklace bracelet earring watch gold silver
accessory bag belt scarf hat glove watch umbrella
color red blue green yellow black white brown purple orange pink grey gray navy teal turquoise beige
shape circle square triangle rectangle oval; material wood metal plastic glass cotton wool leather steel paper stone oak
metal steel iron gold silver copper aluminium
health doctor hospital illness disease medication allergy blood diet exercise diabetes asthma therapy insurance
condition diabetes asthma arthritis migraine hypertension depression allergy anxiety
illness flu cold fever cancer diabetes asthma infection pneumonia migraine sick
disease cancer diabetes asthma flu infection arthritis
medication pill tablet aspirin ibuprofen antibiotic insulin prescription dose mg inhaler
medicine pill tablet aspirin ibuprofen antibiotic insulin prescription dose mg drug
symptom fever cough headache pain nausea rash dizziness; injury broken fracture sprain wound burn bruise
doctor physician surgeon dentist pediatrician cardiologist dermatologist clinic appointment; physician doctor clinic surgeon
medical doctor hospital clinic surgery medication blood allergic prescription diagnosis
appointment dentist doctor meeting checkup haircut; checkup dentist doctor appointment
therapy therapist counselor psychologist psychiatrist physiotherapy
body head arm leg hand foot back knee shoulder heart stomach eye ear
exercise gym running yoga swimming cycling workout jogging pilates fitness weights training
workout gym running yoga swimming cycling pilates fitness weights; fitness gym running yoga workout swimming cycling marathon
sport football soccer tennis basketball baseball swimming running cycling hockey golf volleyball skiing climbing rowing boxing
sport cricket rugby badminton; team group squad members colleagues
hobby gardening painting reading knitting photography cooking hiking fishing chess guitar piano pottery woodworking collecting
hobby drawing climbing running; pastime gardening painting reading knitting photography cooking hiking fishing chess guitar
instrument guitar piano violin drum flute cello saxophone trumpet clarinet ukulele
music song album band guitar piano concert jazz rock pop classical playlist singer
genre jazz rock pop classical fiction thriller comedy drama fantasy mystery horror romance
artist painter singer musician sculptor band; movie film cinema actor director comedy thriller
show series episode season netflix; book novel author read library chapter paperback; author writer novelist wrote
game chess poker monopoly console nintendo playstation xbox minecraft puzzle; toy lego doll puzzle ball
art painting drawing sculpture museum gallery; craft knitting sewing pottery crochet woodworking
vehicle car truck van motorcycle bicycle bike bus scooter tesla toyota suv
car vehicle automobile sedan suv tesla toyota honda ford bmw audi volkswagen parking mileage drive
transport car bus train bike bicycle subway tram metro plane ferry taxi commute
commute train bus bike drive subway tram cycling
travel flight trip hotel vacation airport train passport visa journey booking plane luggage
trip flight hotel vacation journey travel visit holiday; vacation trip holiday travel beach flight hotel
flight plane airport airline boarding gate; airline lufthansa delta united ryanair flight
accommodation hotel hostel airbnb apartment room booking; lodging hotel hostel airbnb
document passport license certificate contract visa id file pdf; identification passport license id
luggage suitcase bag backpack carry; nature forest mountain lake river sea tree hiking; water lake river sea ocean pool
plant flower tree rose tulip tomato cactus fern basil herb succulent orchid; flower rose tulip lily orchid daisy sunflower
garden plant flower tree lawn tomato vegetable seed; tree oak pine maple birch apple
weather rain snow sun wind storm temperature forecast cloud; season spring summer autumn winter fall
weekday monday tuesday wednesday thursday friday; weekend saturday sunday
day monday tuesday wednesday thursday friday saturday sunday
month january february march april may june july august september october november december
date january february march april may june july august september october november december monday tuesday wednesday thursday
date friday deadline; time pm hour morning afternoon evening noon midnight utc
schedule monday tuesday wednesday thursday friday weekly daily calendar every time meeting
frequency daily weekly monthly yearly every nightly hourly; often daily weekly monthly every nightly hourly
recurring daily weekly monthly every; morning breakfast; evening pm dinner night; age years old born birthday
birthday born birth party; birth born birthday; born birthday birth; height cm tall feet; weight kg pounds lbs
distance km miles meters; temperature degrees celsius fahrenheit; size small medium large xl cm
price euro dollar cost usd eur pounds cents; cost price euro dollar budget expensive cheap fee
money euro dollar salary budget cash bank savings loan price debt; currency euro dollar pound yen franc usd eur gbp
finance bank budget savings loan mortgage investment tax stock salary; income salary wage pay earnings
salary pay income wage raise bonus; expense cost rent bill fee; bill invoice rent electricity payment
insurance policy premium coverage deductible; investment stock bond fund etf crypto bitcoin; bank account iban savings loan
payment invoice card paypal stripe cash transfer checkout billing; tax vat deduction irs refund
subscription netflix spotify plan monthly renewal; purchase bought order buy; shopping groceries store supermarket mall buy list
grocery milk bread eggs supermarket; gift present birthday christmas; personality shy introvert friendly outgoing patient
emotion happy sad angry afraid anxious stressed excited lonely; mood happy sad angry tired stressed
fear afraid scared phobia spiders heights; dream goal wish want; goal plan want target aim objective
habit always every usually routine; routine morning daily every; preference prefer like favorite favourite dislike hate love
taste like prefer favorite; dislike hate avoid; favorite like love prefer best
religion christian muslim jewish hindu buddhist catholic church mosque synagogue; belief religion christian muslim atheist
politics election party government vote president; contact phone email address number
phone mobile telephone iphone android number call; number phone digits; address street avenue road zip postcode
nickname called name; name called named; event meeting conference party concert wedding appointment
conference talk workshop speaker; neighbor next door; friend buddy mate pal; colleague coworker teammate team
boss manager supervisor lead; leader manager head ceo lead; management manager director ceo cto lead
executive ceo cto cfo director; staff employee team; customer client user buyer account; supplier vendor provider
company employer business firm startup corporation; competitor rival
department sales marketing engineering finance support hr legal; hr hiring vacation payroll onboarding
hiring recruit interview candidate; interview candidate hiring
meeting standup sync call retro retrospective planning review zoom agenda demo; standup daily meeting scrum sync
agenda meeting topics; agile sprint scrum kanban standup backlog retro; task todo ticket issue assignment
ticket jira issue linear task; tracker jira linear issue ticket; deadline due date; milestone release deadline launch
launch release ship go; responsible owns owner lead maintains maintainer; ownership owns owner maintains
owner owns maintains responsible; maintainer owns owner maintains; approval review approve sign; absence vacation sick leave
`
