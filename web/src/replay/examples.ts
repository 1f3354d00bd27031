// Example games, played by bots, and an example position.
const azul = `[Tilery "1"]
[Game "azul"]
[Rules "2"]
[Seat1 "Ann"]
[Seat2 "Ben"]
[Result "58-39"]

1. +BYWW +BRRR +BYKW +BYYY +BYWW
2R2 4Y2 3Y1 5Y1 CB4 CW3 CKF 1W4 CBF CYF

2. +BYKK +KKWW +RRKW +BRKW +RKKK
4R1 5R1 2W2 3R2 CK3 CW4 1KF CB3 CYF

3. +BRRW +RKWW +YYKW +YYKW +YYYR
4Y2 2K1 3K1 1B3 CW5 5RF CY3 CKF CR4

4. +BBYR +BBKK +BBWW +RKWW +RRKK
1R4 CB2 3B2 CW1 2B1 CK5 4W3 5K5 CKF CR3 CY5

5. +BBBR +YYKW +BRRK +BYRR +BYYW
5B1 2W1 3K5 CY5 4B4 CW3 1B4 CK2 CY3 CBF CRF
`;

const chocolatier = `[Tilery "1"]
[Game "chocolatier"]
[Rules "3,grey,specials"]
[Seat1 "Ann"]
[Seat2 "Ben"]
[Seat3 "Cleo"]
[Result "24-7-31"]

1. 1=saucer 2=extra 7=magnetB +BYKW +BBRR +BYYR +BBRR +BKWW +RRWW +BYKW
extra=K
5W2 2R5 4B2 3Y1 CR2 7W1 1Y3 CBF CY3 CK4 6R4 CW4 1:3 2:5 4:5 2:2 1:2 2:4

2. 4=magnetK 5=magnetW 7=keeper +BRKW +BYRW +BYKW +BYKK +YRKW +YYRK +KKKW
2B2 3W2 CB1 CR1 5W2 1K2 6KF CY3 4Y3 CR3 7W4 CK2 7KF CW5 CBF 1:4 3:1 2:5 3:2
4:4 1:4 2:2

3. 4=saucer 6=magnetB 7=extra +YKKW +BBRR +RRKW +BYKW +YYYK +BYYR +BYYW
extra=B
4W1 1W1 7Y2 3R2 2B3 6B4 5Y3 CKF CR3 CY4 CB3 CW5 1:2 2:1 3:5 4:2 1:1 3:5 2:3
3:3

4. 3=saucer 5=extra 6=keeper +BKWW +BRKW +RRWW +YYRW +BYKK +BBBY +BRRK extra=Y
2B2 1K1 3R1 4R5 5K2 CK5 CY3 CB4 6B3 CRF CW5 6Y2 7K1 CB3 CRF 1:2 2:1 3:4 1:3
2:2 4:3 5:3 3:1

5. 3=magnetB 5=magnetK 6=spreader +BYKK +YYYK +BKKW +RKKW +BYRK +YKKW +BYRK
7K1 6WF<YK 5R5 CRF 3K3 4R1 2K3 1B1 CWF CB4 CK2 CY4 2:3 1:4 4:5
`;

const schokoly = `[Tilery "1"]
[Game "schokoly"]
[Rules "2"]
[Seat1 "Ann"]
[Seat2 "Ben"]
[Result "21-21"]

1. +MMMD +MMWW +DDDM +WWWD +DDMM +DDWW +DDDW +MMMD
dark MMWW@0,0 no-token
+MMWD
white WDDD@0,2 no-token
+DDDW

2. WWWD@2,2 no-token
+DDMW
DDDW@2,0 no-token
+DDWW

3. DDMW@0,4 no-token
+MMWW
DWWD@-2,1 no-token
+MMMW

4. MMWW@0,6 no-token
+WWWM
DDMM@-4,1 no-token
+DDDM

5. DDDM@-2,3 no-token
+WWDM
DMDD@-4,3 no-token
+MMWW

6. WWMW@-6,1 no-token
+WWDM
WMMW@-2,5 no-token
+MMWD

7. WWDM@-2,7 no-token
+MMWD
MMMW@0,-2 no-token
+MMMW

8. MMMD@0,-4 no-token
+WWWM
MMMW@0,-6 no-token
+WWWD

9. WMWW@-6,3 no-token
+DDMW
MMMD@4,0 no-token
+DDMM

10. WDMM@3,-2 no-token
+WWDM
DDMM@-5,5 no-token
+DDDM

11. MWDM@-2,-1 no-token
+DDDW
DDDM@4,2 no-token
+MMMD

12. DDDW@1,1^
+WWWM
WDMM@2,-4 no-token
+WWWD

13. WDDM@-1,-1^
+MMMW
MMDM@0,-3^
+DDMM

14. MWMM@5,-2 no-token
+DDMW
DMMD@0,3^
+DDWW

15. WWDM@0,-5^ WWWD@3,0^

16. WWWM@4,-2^ DDWW@-3,1^

17. WDDM@-1,1^ WWDD@-5,2^

18. DMWW@-1,5^ WWWD@-3,3^
`;

const position =
  'azul:2 round=5 offer:2 starter=2 marker=C bag=0/0/0/0/0 lid=9/9/9/11/11 centre=- discs=BBBR/YYKW/BRRK/BYRR/BYYW ' +
  '29|-/-/WW/-/Y|BYRK./WBYR./K..Y./R..B./...W.|- 26|-/-/-/-/KKKK|.YRKW/.BYR./.WB.R/..W../.....|-';

export const EXAMPLES = { azul, chocolatier, schokoly, position } as const;
